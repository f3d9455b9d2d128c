import { basename, dirname, isAbsolute } from 'node:path';
import { findProgram } from '#world/program/find-program.mjs';

/** The absolute path of a program given by path, or by name on this process's PATH; undefined if there is none. */
export function findExecutable(name: string): string | undefined {
  if (isAbsolute(name)) return findProgram(basename(name), dirname(name));
  return findProgram(name, process.env['PATH'] ?? '');
}
