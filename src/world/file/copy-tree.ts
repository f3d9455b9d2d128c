import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelSignal } from '#world/concurrency/cancellation.ts';
import { copyEntry, type EntryCopy } from './copy-entry.ts';
import { type HeldFolder, holdFolder } from './held-folder.ts';

/** From which folder to which. Both paths are absolute and without symbolic links. */
interface Copy {
  readonly from: string;
  readonly to: string;
  /** Whether files may be hard links: for files that nobody ever writes again, such as git's objects. */
  readonly linked?: boolean;
  /** Whether a file or folder of this name is passed over. A folder that holds a `.git` always is. */
  readonly skips?: (name: string) => boolean;
}

/**
 * Copies files and folders below one folder to the same places below another: regular files with mode and time, and symbolic
 * links as links. Nothing is overwritten, no link is followed on either side, and each file is there whole or not at all. So a
 * copy that was cut short can be made again. What is of another kind, what this process may not read, and names that are not
 * UTF-8 are passed over.
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

/** Makes a folder below another one, with those on the way; where a link or a file is on the way, it makes none. */
export async function makeFolder(root: string, path: string): Promise<void> {
  let at = root;
  for (const segment of path.split('/').filter((one) => one !== '')) {
    await using parent = await holdFolder(at);
    if (parent === undefined) return;
    await makeIn(parent, segment, 0o777);
    at = join(at, segment);
  }
}

async function copyInto(copy: Copy, from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
  await using source = await holdFolder(from);
  await using target = await holdFolder(to);
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
  // A repository is no plain files: a second one with the same pointer would work on the first one's index.
  if (names === undefined || names.includes('.git')) return;
  const { mode } = await lstat(at);
  await makeIn(target, name, (mode & 0o777) | 0o700);
  await copyInto(copy, from, to, () => true);
}

async function entriesOf({ at }: HeldFolder): Promise<Dirent<string>[]> {
  return await readdir(at, { withFileTypes: true, encoding: 'latin1' }).catch(() => []);
}

async function makeIn(folder: HeldFolder, name: string, mode: number): Promise<void> {
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
