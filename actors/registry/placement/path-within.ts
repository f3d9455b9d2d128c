import { isAbsolute, posix } from 'node:path';

/** Whether a path is a directory or below it, judged only by the text. Both are absolute, without `..` and links. */
function isWithin(directory: string, path: string): boolean {
  const way = posix.relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way));
}

/**
 * Whether a path is a directory or below it. A path in muster's state folder does not count as below a directory that
 * contains the state folder.
 */
export function contains(root: string, path: string, stateFolder: string | undefined): boolean {
  return isWithin(root, path) && (!stateFolder || !isWithin(stateFolder, path) || isWithin(stateFolder, root));
}
