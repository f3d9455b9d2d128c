import { lstat, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';
import { submoduleAt } from '#world/git/checkout/submodule-link.ts';
import type { GitOutput } from '#world/git/repository/git.ts';
import { bytesOf, joinPaths, splitPaths } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { findFiles, pathsBelow } from './find-files.ts';

/** The maximum size of a file that counts as a pointer to a repository, even if it leads nowhere. */
const pointerBytes = 4_096;
const walkMs = 120_000;
/** The maximum size of git's report about folders that it cannot open. A longer report may be incomplete. */
const maxErrorBytes = 4 * 1024 * 1024;
const closed = /^warning: could not open directory '(.*?)\/?(?:': [^']*)?$/gm;

/** Files as git lists them, and the folders that it could not open, whose files it skips without failing. */
export interface ListedFiles {
  readonly lines: readonly string[];
  /** The folders that git could not open, as it names them: a very long name is cut off. */
  readonly closed: readonly string[];
}

/** Lists files with `git ls-files`. Latin-1. */
export async function listFiles(shadow: Shadow, options: readonly string[]): Promise<ListedFiles> {
  const args = ['ls-files', ...options, '--exclude-standard', '-z'];
  const list = () => shadow.git(args, { timeoutMs: walkMs, maxErrorBytes });
  const first = await list();
  // A folder may have been deleted while git was listing.
  const output = closedIn(first).length === 0 ? first : await list();
  return { lines: splitPaths(output.stdout), closed: closedIn(output) };
}

function closedIn({ stderr }: GitOutput): string[] {
  return [...stderr.toString('latin1').matchAll(closed)].map(([, path = '']) => path);
}

/**
 * Everything in a checkout that is named `.git` and is not a repository: git neither shows nor stores it. Ignored
 * folders and the git directories of nested repositories are skipped. Latin-1 paths.
 */
export async function hiddenFiles(shadow: Shadow, workTree: string): Promise<string[]> {
  const found = await findFiles([workTree, '-mindepth', '2', '-name', '.git', '-prune', '-print0'], workTree);
  const holding: string[] = [];
  for (const path of pathsBelow(workTree, found)) {
    if ((await isWork(bytesOf(workTree, path))) && (await submoduleAt(workTree, dirname(path))) === undefined)
      holding.push(path);
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
