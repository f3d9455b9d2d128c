import { shells } from './harness/common.ts';
import { pattern } from './pattern.ts';

/** Whether a program's name, as captured, is that of a shell. */
export function isShell(command: string): boolean {
  return pattern(shells).test(command);
}
