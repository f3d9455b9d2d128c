import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';

/** Whether there is a directory at a path, now. */
export async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/**
 * A directory as a person names it, resolved once: `~` expanded, links followed if it exists.
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
 * Whether a path still is what it names: no link is on the way, except for those on the way to `root`, if it lies in
 * that.
 */
export async function isUnlinked(path: string, root: string): Promise<boolean> {
  const expected = path.startsWith(`${root}/`) ? join(await realpath(root), path.slice(root.length)) : path;
  return (await realpath(path).catch(() => undefined)) === expected;
}
