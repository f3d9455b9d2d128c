import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelSignal } from '#world/concurrency/cancellation.ts';
import { copyEntry, type EntryCopy } from './copy-entry.ts';
import { type OpenFolder, openFolder } from './open-folder.ts';

/** The source and the target folder. Both paths are absolute and without symbolic links. */
interface Copy {
  readonly from: string;
  readonly to: string;
  /** Whether files may be hard-linked: for files that are never written again, such as git's objects. */
  readonly linked?: boolean;
  /** Whether to skip files and folders of this name. Folders that contain a `.git` are always skipped. */
  readonly skips?: (name: string) => boolean;
}

/**
 * Copies files and folders below one folder to the same paths below another: regular files with mode and time, and
 * symbolic links as links. It overwrites nothing, follows no link on either side, and copies each file atomically, so
 * that an interrupted copy can be repeated. It skips entries of other kinds, unreadable ones, and names that are not
 * UTF-8.
 * @param paths in Latin-1; relative, without `..`
 */
export async function copyTree(copy: Copy, paths: readonly string[]): Promise<void> {
  const plain = paths.map((path) => path.replace(/\/$/, ''));
  const byFolder = Map.groupBy(plain, (path) => path.slice(0, Math.max(path.lastIndexOf('/'), 0)));
  for (const [folder, all] of byFolder) {
    const place = utf8(folder);
    if (place === undefined) continue;
    await makeFolder(copy.to, place);
    const names = new Set(all.map((path) => path.slice(path.lastIndexOf('/') + 1)));
    await copyInto(copy, join(copy.from, place), join(copy.to, place), (name) => names.has(name));
  }
}

/** Creates a folder below another one, with its parents. Creates nothing if a link or a file is in the path. */
export async function makeFolder(root: string, path: string): Promise<void> {
  let at = root;
  for (const segment of path.split('/').filter((one) => one !== '')) {
    await using parent = await openFolder(at);
    if (parent === undefined) return;
    await makeIn(parent, segment, 0o777);
    at = join(at, segment);
  }
}

async function copyInto(copy: Copy, from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
  await using source = await openFolder(from);
  await using target = await openFolder(to);
  if (source === undefined || target === undefined) return;
  for (const entry of await entriesOf(source)) {
    cancelSignal()?.throwIfAborted();
    const name = utf8(entry.name);
    if (name === undefined || name === '.git' || copy.skips?.(name) === true || !isWanted(entry.name)) continue;
    if (entry.isDirectory()) await copyFolder(copy, { source, target, name }, join(from, name), join(to, name));
    else await copyEntry({ source, target, name }, copy.linked === true ? 'linked' : 'copied');
  }
}

async function copyFolder(copy: Copy, { source, target, name }: EntryCopy, from: string, to: string): Promise<void> {
  const at = `${source.at}/${name}`;
  const names = await readdir(at, { encoding: 'latin1' }).catch(() => undefined);
  // A nested repository is skipped, because a copy with the same pointer would use the original's index.
  if (names === undefined || names.includes('.git')) return;
  const { mode } = await lstat(at);
  await makeIn(target, name, (mode & 0o777) | 0o700);
  await copyInto(copy, from, to, () => true);
}

async function entriesOf({ at }: OpenFolder): Promise<Dirent<string>[]> {
  return await readdir(at, { withFileTypes: true, encoding: 'latin1' }).catch(() => []);
}

async function makeIn(folder: OpenFolder, name: string, mode: number): Promise<void> {
  await mkdir(`${folder.at}/${name}`, { mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** A Latin-1 name as text; undefined if it is not UTF-8. */
function utf8(name: string): string | undefined {
  const bytes = Buffer.from(name, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
