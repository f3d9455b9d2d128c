import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is a folder or inside it, judged only by the text. Both are absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
