import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from '#world/file/files-in.ts';

const pattern = /^muster-\d{8}T\d{6}Z\.backup$/;

/** The file name of a repeated backup. Names sort by time. */
export function repeatedName(takenAt: Date): string {
  return `muster-${takenAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`;
}

/** Removes the oldest repeated backups of a folder, except for `keep`, and no other file. Returns the removed names. */
export function removeOldBackups(folder: string, keep: number): readonly string[] {
  const names = filesIn(folder).filter((name) => pattern.test(name));
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) rmSync(join(folder, name));
  return old;
}
