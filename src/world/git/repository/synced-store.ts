import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { syncFolder } from '#world/file/synced-folder.ts';
import type { GitDirectory } from './git-directory.ts';

/** After how long the system has certainly written data back, in milliseconds. By default it does so within 35 s. */
const youngMs = 15 * 60_000;
const atOnce = 32;

/**
 * Syncs the objects of a repository, so that they survive a power failure. Git syncs the objects that it writes for
 * muster, but not their file names, nor objects that an agent's git has just written.
 */
export async function syncObjects({ commonDir }: GitDirectory): Promise<void> {
  const objects = join(commonDir, 'objects');
  const names = await readdir(objects);
  // Loose objects come first: those that are packed meanwhile are then in a pack.
  const loose = names.filter((name) => /^[0-9a-f]{2}$/.test(name));
  for (const name of [...loose, 'pack']) await syncYoung(join(objects, name));
  syncFolder(objects);
}

/** Syncs a newly written reference and its folders, so that it survives a power failure. */
export async function syncRef({ commonDir }: GitDirectory, ref: string): Promise<void> {
  const file = join(commonDir, ref);
  await syncFile(file);
  for (let at = dirname(file); at.length > commonDir.length; at = dirname(at)) syncFolder(at);
  syncFolder(commonDir);
}

async function syncYoung(folder: string): Promise<void> {
  if (!(await isRecent(folder))) return;
  const names = await readdir(folder).catch(() => []);
  const files = names.map((name) => join(folder, name));
  await pLimit(atOnce).map(files, async (file) => ((await isRecent(file)) ? syncFile(file) : undefined));
  syncFolder(folder);
}

/** Whether a file is young, by its ctime. After the clock was set back, all earlier files count as young. */
async function isRecent(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && !stats.isSymbolicLink() && stats.ctimeMs > Date.now() - youngMs;
}

/** Syncs a file. One that is gone or unreadable cannot be a needed object. */
async function syncFile(path: string): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch(() => undefined);
  try {
    if (file !== undefined && (await file.stat()).isFile()) await file.sync();
  } finally {
    await file?.close();
  }
}
