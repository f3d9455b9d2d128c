import { randomUUID } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { removeTree } from './remove-tree.ts';

const asideMark = '.muster-removed-';

/**
 * Where a folder of a worktree, or the worktree itself, is moved before it is deleted: next to the worktree, so that
 * moving takes one step, under a name that identifies the folder and that cannot be occupied beforehand.
 */
export async function asidePath(worktree: string, folder: string): Promise<string> {
  return `${worktree}${asideMark}${await inodeOf(folder)}-${randomUUID().slice(0, 8)}`;
}

/** What was moved aside of a worktree and not deleted since, but no other folder with such a name. */
export async function movedAside(worktree: string): Promise<readonly string[]> {
  const beside = await readdir(dirname(worktree)).catch(() => []);
  const found: string[] = [];
  for (const name of beside) {
    const said = name.startsWith(basename(worktree) + asideMark) && name.slice((basename(worktree) + asideMark).length);
    const path = join(dirname(worktree), name);
    const isOwn = said && /^\d+-[0-9a-f]{8}$/.test(said);
    if (isOwn && said.split('-')[0] === String(await inodeOf(path).catch(() => ''))) found.push(path);
  }
  return found;
}

/** Deletes what was moved aside of a worktree. */
export async function removeMovedAside(worktree: string): Promise<void> {
  for (const path of await movedAside(worktree)) await removeTree(path);
}

/** The number by which a file system identifies a file or folder. */
export async function inodeOf(path: string): Promise<bigint> {
  return (await lstat(path, { bigint: true })).ino;
}
