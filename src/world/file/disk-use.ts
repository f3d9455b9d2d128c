import { lstat, readdir } from 'node:fs/promises';
import pLimit from 'p-limit';

/** The space that a folder takes, and what was found in it. Paths are relative to it, in Latin-1. */
export interface DiskUse {
  /** The bytes that deleting it would free: of a file with other links elsewhere, none. */
  readonly bytes: number;
  /** A Git repository in it, bare or not; undefined if there is none. */
  readonly repository?: string | undefined;
  /** A folder that cannot be read; undefined if there is none. */
  readonly unreadable?: string | undefined;
  /** Whether a part of it is on another file system. Such a part is not counted. */
  readonly otherDevice: boolean;
}

/** How many files are looked at together. */
const atOnce = 32;
/** How many bytes a block of `stat` has. */
const blockBytes = 512;

/** Measures a folder without following links. */
export async function diskUse(root: string): Promise<DiskUse> {
  const top = await lstat(root);
  const limit = pLimit(atOnce);
  let bytes = top.blocks * blockBytes;
  let otherDevice = false;
  let [repository, unreadable]: (string | undefined)[] = [];
  const waiting = [''];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const folder = at;
    const listing: Promise<string[]> = readdir(pathBelow(root, folder), { encoding: 'latin1' });
    const names = await listing.catch((error: NodeJS.ErrnoException): string[] => {
      if (error.code !== 'ENOENT') unreadable ??= folder;
      return [];
    });
    if (names.includes('.git') || ['HEAD', 'objects', 'refs'].every((name) => names.includes(name)))
      repository ??= folder;
    const found = await limit.map(names, async (name) => {
      const path = `${folder}${name}`;
      return { path, stats: await lstat(pathBelow(root, path)).catch(() => undefined) };
    });
    for (const { path, stats } of found) {
      if (stats === undefined) continue;
      if (stats.dev !== top.dev) otherDevice = true;
      else if (stats.isDirectory()) {
        bytes += stats.blocks * blockBytes;
        waiting.push(`${path}/`);
      } else if (stats.nlink === 1) bytes += stats.blocks * blockBytes;
    }
  }
  return { bytes, repository, unreadable, otherDevice };
}

function pathBelow(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}
