import { existsSync, readdirSync } from 'node:fs';

/** The names in a folder, sorted; none if the folder does not exist. */
export function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}
