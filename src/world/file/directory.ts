import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';

/** Whether a path is a directory now. */
export async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/**
 * Resolves a person's path to a directory: expands `~`, and follows links if it exists.
 * @throws INVALID_ARGUMENT when it is not absolute
 */
export async function resolveDirectory(path: string): Promise<string> {
  const expanded = /^~(\/|$)/.test(path) ? join(homedir(), path.slice(1)) : path;
  if (!isAbsolute(expanded)) {
    throw new Failure('INVALID_PATH', `the directory ${path} is not absolute: begin it with / or ~/`);
  }
  return realpath(expanded).catch(() => resolve(expanded));
}

/**
 * Whether a path contains no links, except for those in the path of `root`, if it is within that.
 */
export async function isUnlinked(path: string, root: string): Promise<boolean> {
  const expected = path.startsWith(`${root}/`) ? join(await realpath(root), path.slice(root.length)) : path;
  return (await realpath(path).catch(() => undefined)) === expected;
}

/** The entries of a directory that does not exist. @throws the error when it is another one */
export function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
