import { lstat, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRegularFile } from '../regular-file.ts';
import { findFiles, pathsBelow } from './find-files.ts';
import { bytesOf, joinPaths, splitPaths } from './git-paths.ts';
import type { Shadow } from './shadow.ts';
import { isNested } from './submodule-link.ts';

/** A pointer to a repository is no longer than this, and nobody's work also where it leads nowhere. */
const pointerBytes = 4_096;

/**
 * What stands in a checkout under the name `.git` and is no repository: git neither shows nor stores any of it. Ignored folders
 * and repositories within are passed over. Latin-1 paths.
 */
export async function hiddenFiles(shadow: Shadow, workTree: string): Promise<string[]> {
  const found = await findFiles([workTree, '-mindepth', '2', '-name', '.git', '-prune', '-print0'], workTree);
  const holding: string[] = [];
  for (const path of pathsBelow(workTree, found)) {
    if ((await isWork(bytesOf(workTree, path))) && !(await isNested(workTree, dirname(path)))) holding.push(path);
  }
  if (holding.length === 0) return [];
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const input = joinPaths(holding.map((path) => `./${dirname(path)}`));
  const args = ['check-ignore', '--no-index', '-z', '--stdin'];
  const ignored = new Set(splitPaths((await shadow.git(args, { env, input, exitCodes: [0, 1] })).stdout));
  return holding.filter((path) => !ignored.has(`./${dirname(path)}`));
}

async function isWork(path: Buffer): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || stats.isSymbolicLink()) return false;
  if (stats.isDirectory()) return (await readdir(path).catch(() => undefined))?.length !== 0;
  const pointer = await readRegularFile(path, { maxBytes: pointerBytes, followLinks: false });
  return stats.isFile() && stats.size > 0 && !/^gitdir: [^\n]*\n?$/.test(pointer?.content.toString('latin1') ?? '');
}
