import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { geteuid } from 'node:process';
import pLimit from 'p-limit';
import { cancelSignal } from '#world/concurrency/cancellation.ts';

/** The size of a file, or of a folder with its content. */
export interface TreeSize {
  readonly bytes: number;
  readonly files: number;
  /** Whether everything was counted. */
  readonly isWhole: boolean;
  /** Nested repositories, with a trailing slash. They are not counted. Latin-1. */
  readonly repositories: readonly string[];
  /** Files and folders that this process may not read. They are not counted. Latin-1. */
  readonly unreadable: readonly string[];
}

type MutableTreeSize = {
  -readonly [K in keyof TreeSize]: TreeSize[K] extends readonly string[] ? string[] : TreeSize[K];
};

const atOnce = 64;

/**
 * Measures a file or folder without following links. Stops once `isEnough` returns true; the result is then not whole.
 * @param path in Latin-1; relative, a folder with a slash at its end
 */
export async function treeSize(root: string, path: string, isEnough: (size: TreeSize) => boolean): Promise<TreeSize> {
  const size: MutableTreeSize = { bytes: 0, files: 0, isWhole: true, repositories: [], unreadable: [] };
  if (!path.endsWith('/')) {
    await countFiles(root, [path], size);
    return size;
  }
  const waiting = [path];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    cancelSignal()?.throwIfAborted();
    if (isEnough(size)) return { ...size, isWhole: false };
    const { folders, files } = await look(root, at, size);
    await countFiles(root, files, size);
    waiting.push(...folders);
  }
  return size;
}

async function look(
  root: string,
  folder: string,
  size: MutableTreeSize,
): Promise<{ folders: string[]; files: string[] }> {
  const options = { withFileTypes: true, encoding: 'latin1' } as const;
  const entries = await readdir(pathBelow(root, folder), options).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') size.unreadable.push(folder);
    return [];
  });
  if (entries.some(({ name }) => name === '.git')) {
    size.repositories.push(folder);
    return { folders: [], files: [] };
  }
  const below = (isFolder: boolean): string[] =>
    entries.filter((entry) => entry.isDirectory() === isFolder).map(({ name }) => `${folder}${name}`);
  return { folders: below(true).map((path) => `${path}/`), files: below(false) };
}

async function countFiles(root: string, paths: readonly string[], size: MutableTreeSize): Promise<void> {
  const all = await pLimit(atOnce).map(paths, async (path) => ({
    path,
    stats: await lstat(pathBelow(root, path)).catch(() => undefined),
  }));
  for (const { path, stats } of all) {
    if (stats === undefined) continue;
    if (stats.isFile() && !isReadable(stats)) size.unreadable.push(path);
    else {
      size.files += 1;
      size.bytes += stats.size;
    }
  }
}

/** Checks only owner and mode, because access(2) for each file would take twice as long. */
function isReadable({ uid, mode }: Stats): boolean {
  const self = geteuid?.();
  return self === 0 || (mode & (uid === self ? 0o400 : 0o044)) !== 0;
}

function pathBelow(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}
