import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The absolute path of a program on this process's PATH, or undefined where there is none. */
export function findExecutable(name: string): string | undefined {
  if (isAbsolute(name)) return isExecutable(name) ? name : undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}
