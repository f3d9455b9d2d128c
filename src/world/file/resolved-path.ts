import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** A path and the folder that it is relative to, each also with links followed. */
export interface ResolvedPath {
  readonly absolute: string;
  readonly resolved: string;
  readonly folder: string;
  readonly resolvedFolder: string;
}

/**
 * Resolves a path, whose last parts need not exist, in a folder. Undefined if that cannot be done, or if programs may
 * mean another file: some take a `..` after a link away before they follow the link, and some after.
 */
export async function resolvedPath(folder: string, path: string): Promise<ResolvedPath | undefined> {
  const expanded = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
  const absolute = resolve(folder, expanded);
  try {
    const step = isAbsolute(expanded) ? expanded : `${folder}/${expanded}`;
    const [resolved, stepped, resolvedFolder] = await Promise.all([
      withLinks(absolute),
      withLinks(step),
      realpath(folder),
    ]);
    if (stepped !== resolved) return undefined;
    return { absolute, resolved, folder: resolve(folder), resolvedFolder };
  } catch {
    return undefined;
  }
}

/** A path with links followed. What does not exist has none, but a link to what does not exist is refused. */
async function withLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent || (await isLink(path)) || dirname(path) === path) throw error;
    return join(await withLinks(dirname(path)), basename(path));
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
