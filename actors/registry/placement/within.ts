import { isAbsolute, posix } from 'node:path';

/** Whether a path is a directory or below it, judged by the text alone; both are absolute, without `..` and links. */
function isWithin(directory: string, path: string): boolean {
  const way = posix.relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way));
}

/**
 * Whether a path is a directory or lies in it. What lies in muster's own folder belongs to a directory around that
 * folder only by its place.
 */
export function holds(root: string, path: string, stateFolder: string | undefined): boolean {
  return isWithin(root, path) && (!stateFolder || !isWithin(stateFolder, path) || isWithin(stateFolder, root));
}
