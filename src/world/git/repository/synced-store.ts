import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { syncFolder } from '#world/file/synced-folder.ts';
import type { GitDirectory } from './git-directory.ts';

/**
 * What was written longer ago has been written back by the system, in milliseconds; by default it does so within 35 s.
 */
const youngMs = 15 * 60_000;
const atOnce = 32;

/**
 * Has the objects of a repository outlive a power cut. Git syncs those that it writes for muster, but not the names of
 * their files, and it takes an object that already exists for stored, also if an agent's git wrote it a moment ago.
 */
export async function syncObjects({ commonDir }: GitDirectory): Promise<void> {
  const objects = join(commonDir, 'objects');
  const names = await readdir(objects);
  // Loose ones first: what is packed meanwhile is found in its pack.
  const loose = names.filter((name) => /^[0-9a-f]{2}$/.test(name));
  for (const name of [...loose, 'pack']) await syncYoung(join(objects, name));
  syncFolder(objects);
}

/** Has a reference that was just written outlive a power cut, with the folders that it is in. */
export async function syncRef({ commonDir }: GitDirectory, ref: string): Promise<void> {
  const file = join(commonDir, ref);
  await syncFile(file);
  for (let at = dirname(file); at.length > commonDir.length; at = dirname(at)) syncFolder(at);
  syncFolder(commonDir);
}

async function syncYoung(folder: string): Promise<void> {
  if (!(await isYoung(folder))) return;
  const names = await readdir(folder).catch(() => []);
  const files = names.map((name) => join(folder, name));
  await pLimit(atOnce).map(files, async (file) => ((await isYoung(file)) ? syncFile(file) : undefined));
  syncFolder(folder);
}

/** By the time that nobody can set; a clock that was set back makes all young that was written before. */
async function isYoung(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && !stats.isSymbolicLink() && stats.ctimeMs > Date.now() - youngMs;
}

/** One that is gone, or that nobody here can read, is not an object of what is kept. */
async function syncFile(path: string): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch(() => undefined);
  try {
    if (file !== undefined && (await file.stat()).isFile()) await file.sync();
  } finally {
    await file?.close();
  }
}
