import { isWithin } from '#world/within.ts';

/**
 * Whether a path is a directory or below it. A path in muster's state folder does not count as below a directory that
 * contains the state folder.
 */
export function contains(root: string, path: string, stateFolder: string | undefined): boolean {
  return isWithin(root, path) && (!stateFolder || !isWithin(stateFolder, path) || isWithin(stateFolder, root));
}
