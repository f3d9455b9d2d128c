import { withoutAttributes } from '#contract/pane/attributes.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { isShell } from './shell-name.ts';
import { wordingOf } from './wording.ts';

/**
 * The question of a program that a shell has started: the heading of its menu, or else its name, with the status row of
 * an editor or a pager. Empty if the shell itself asks.
 */
export function foregroundQuestion(
  { command, rows, width }: Capture,
  evidence: readonly string[],
  hasScreen: boolean,
): string {
  if (isShell(command)) return '';
  const heading = evidence.find((row) => /^[?◆] /u.test(row));
  // After such a sign is what is typed, or how to choose.
  if (heading !== undefined) return wordingOf([heading.replace(/ [›»](?: .*)?$/u, '')], width);
  const last = hasScreen ? rows.map(withoutAttributes).findLast((row) => row.trim() !== '') : undefined;
  return wordingOf(last === undefined ? [command] : [command, '', last], width);
}
