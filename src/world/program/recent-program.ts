import { findProgram } from './find-program.mjs';

/** How long a program counts as where it was found, in milliseconds: git runs many times in a row. */
const foundMs = 1_000;
/** How many programs are remembered. */
const maxFound = 32;

/** Where programs were found last, by their name and PATH, and until when that holds, in milliseconds. */
const found = new Map<string, { readonly file: string; readonly until: number }>();

/**
 * Like `findProgram`, whose many looks at folders take longer than some programs, but may be a second old.
 * @param now the time, in milliseconds
 */
export function recentProgram(command: string, path: string, now: number = performance.now()): string | undefined {
  const key = `${command}\n${path}`;
  const known = found.get(key);
  if (known !== undefined && now < known.until) return known.file;
  const file = findProgram(command, path);
  if (found.size >= maxFound) found.clear();
  if (file !== undefined) found.set(key, { file, until: now + foundMs });
  return file;
}
