import { randomUUID } from 'node:crypto';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { type OpenFolder, openFolder } from '#world/file/open-folder.ts';
import { readRegularFile } from '#world/file/regular-file.ts';
import { syncFolder } from '#world/file/synced-folder.ts';
import { bytesOf } from '#world/git/repository/git-paths.ts';
import type { WritePermit } from '#world/git/repository/write-permit.ts';

const maxBytes = 64 * 1024 * 1024;

/**
 * A regular file of a worktree, reached through no link. Its folder is kept open, so that a link put in the folder's
 * place later cannot redirect a write.
 */
export interface PlainFile extends AsyncDisposable {
  readonly content: Buffer;
  /**
   * Replaces the content in one step; the file keeps its mode.
   * @throws ABORTED when the file was written meanwhile, or its folder was moved: then nothing is left behind
   */
  replace(content: Buffer, permit?: WritePermit): Promise<void>;
}

/**
 * @param workTree a path without links
 * @param path below the worktree, in Latin-1
 * @returns undefined if there is no such file
 */
export async function openPlain(workTree: string, path: string): Promise<PlainFile | undefined> {
  const bytes = bytesOf(workTree, path);
  const full = bytes.toString('utf8');
  const folder = Buffer.from(full).equals(bytes) ? await openFolder(dirname(full)) : undefined;
  if (folder === undefined) return undefined;
  const at = `${folder.at}/${basename(full)}`;
  const file = await readRegularFile(at, { maxBytes: maxBytes, followLinks: false });
  if (file === undefined) {
    await folder[Symbol.asyncDispose]();
    return undefined;
  }
  const stamp = stampOf(file.stats);
  const mode = file.stats.mode & 0o7777;
  return {
    content: file.content,
    replace: (content, permit) => replace(folder, full, { mode, stamp, permit }, content),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function stampOf({ ino, size, mtimeMs }: { ino: number; size: number; mtimeMs: number }): string {
  return `${ino} ${size} ${mtimeMs}`;
}

async function replace(
  folder: OpenFolder,
  path: string,
  { mode, stamp, permit }: { readonly mode: number; readonly stamp: string; readonly permit: WritePermit | undefined },
  content: Buffer,
): Promise<void> {
  const checkWanted = await permit?.();
  const at = `${folder.at}/${basename(path)}`;
  const beside = `${folder.at}/.muster-${randomUUID()}`;
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    const now = await lstat(at).catch(() => undefined);
    if (now === undefined || stampOf(now) !== stamp || !(await folder.isInPlace())) {
      throw new Failure('FILE_CHANGED', `${path} was written or moved meanwhile: try again`);
    }
    checkWanted?.();
    await rename(beside, at);
    syncFolder(folder.at);
  } finally {
    await rm(beside, { force: true });
  }
}
