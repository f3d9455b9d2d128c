import { existsSync, readdirSync } from 'node:fs';

/** The names of what is in a folder, sorted; none if there is no such folder. */
export function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}
