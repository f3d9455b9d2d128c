import { claude } from './claude.ts';
import { codex } from './codex.ts';
import type { Harness } from './definition.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { shell } from './shell.ts';

/** Every harness, in the order in which a first workflow prefers them. */
export const harnesses: readonly Harness[] = [claude, codex, gemini, opencode, shell];

/** The harness of a name; undefined where there is none. */
export function harnessOf(name: string): Harness | undefined {
  return harnesses.find((harness) => harness.name === name);
}
