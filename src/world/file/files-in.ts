import { existsSync, globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The names in a folder, sorted; none if the folder does not exist. */
export function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

/** The paths of what is in a folder and matches one of the globs, which are relative to it. */
export function pathsMatching(folder: string, globs: readonly string[]): string[] {
  return globSync(globs, { cwd: folder }).map((path) => join(folder, path));
}
