import type { Observation } from '#actors/host/reading/observation.ts';
import { withoutAttributes } from '#contract/pane/attributes.ts';

/** An elapsed time, which some CLIs count next to a question. */
const duration = /\b\d+(?:\.\d+)?(?:ms|s|m|h)\b/g;
/** The checkbox before an option. */
const box = /[[(][ xX][\])]/g;

/**
 * Whether a screen still asks the same question after `typed` was typed: only the mark of a selection has moved, or one
 * row has grown by what was typed.
 */
export function isSameQuestion(before: Observation, after: Observation, typed = ''): boolean {
  const [was, is] = [before, after].map(({ capture }) => capture.rows.map(wordsOf).filter((row) => row !== ''));
  if (was === undefined || is === undefined) return false;
  const echo = wordsOf(typed);
  const whole = (rows: readonly string[]): string => rows.join(' ').replaceAll(' ', '');
  if (whole(is) === whole(was) || whole(is) === whole(was) + echo.replaceAll(' ', '')) return true;
  const changed = is.flatMap((row, at) => (row === was[at] ? [] : [[was[at] ?? '', row] as const]));
  const [only] = changed;
  if (was.length !== is.length || changed.length !== 1 || only === undefined || echo === '') return false;
  const [old, now] = only;
  return now.endsWith(echo) && old.startsWith(now.slice(0, now.length - echo.length));
}

/** The words of a row: its letters and digits, without marks, frames and bullets. */
function wordsOf(row: string): string {
  return withoutAttributes(row)
    .replace(duration, '')
    .replace(box, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
