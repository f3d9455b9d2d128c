import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether every user may enter every folder above a file. */
export function isOpenPath(path: string): boolean {
  const above = dirname(path);
  return (statSync(above).mode & 0o001) !== 0 && (above === path || above === dirname(above) || isOpenPath(above));
}
