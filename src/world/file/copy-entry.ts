import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, readlink, rm, symlink } from 'node:fs/promises';
import type { OpenFolder } from './open-folder.ts';

/** An entry of a folder, and the folder to copy it to under the same name. */
export interface EntryCopy {
  readonly source: OpenFolder;
  readonly target: OpenFolder;
  readonly name: string;
}

const chunkBytes = 1024 * 1024;
const part = '.muster-part';

/**
 * Copies a regular file, or a symbolic link as a link, unless the target exists. Skips entries of other kinds, and
 * those that are gone or unreadable. With `linked`, makes hard links, and skips symbolic links too. Only one entry per
 * folder may be copied at a time.
 */
export async function copyEntry({ source, target, name }: EntryCopy, how: 'copied' | 'linked'): Promise<void> {
  const [from, to] = [`${source.at}/${name}`, `${target.at}/${name}`];
  const stats = await lstat(from).catch(() => undefined);
  if (stats?.isSymbolicLink() && how === 'copied') {
    const text = await readlink(from, { encoding: 'buffer' }).catch(() => undefined);
    if (text !== undefined) await unlessThere(symlink(text, to));
    return;
  }
  if (!stats?.isFile() || (how === 'linked' && (await tryLink(from, to)))) return;
  await using file = await open(from, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(
    () => undefined,
  );
  if (file !== undefined) await copyFile(file, target, to);
}

/** Hard-links a file. False if that is impossible, as between two file systems. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await unlessThere(link(from, to));
    return true;
  } catch {
    return false;
  }
}

async function copyFile(file: FileHandle, target: OpenFolder, to: string): Promise<void> {
  const stats = await file.stat();
  if (!stats.isFile()) return;
  const made = `${target.at}/${part}`;
  await rm(made, { force: true });
  try {
    await using copy = await open(made, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    await copyBytes(file, copy);
    await copy.chmod(stats.mode & 0o777);
    await copy.utimes(stats.atime, stats.mtime);
    // A link is created atomically, and never replaces anything.
    await unlessThere(link(made, to));
  } finally {
    await rm(made, { force: true });
  }
}

async function copyBytes(from: FileHandle, to: FileHandle): Promise<void> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    const { bytesRead } = await from.read(buffer, 0, chunkBytes);
    if (bytesRead === 0) return;
    await to.writeFile(buffer.subarray(0, bytesRead));
  }
}

async function unlessThere(made: Promise<void>): Promise<void> {
  await made.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
