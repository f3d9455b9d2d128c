import { withinProcessorTime } from '#world/concurrency/processor-time.ts';
import type { withinTime } from '#world/concurrency/time-limit.ts';

/** The length of the rows on which an expression is tried, in characters: the maximum that is read of a screen. */
const rowLength = 1_000;
/** The limit for all rows, in milliseconds of the processor: other processes may keep it from this one. */
const maxMs = 200;
/** Common content of screens, in addition to the characters in the expression itself. */
const common = [' ', 'a', '1', '─', '│', '.', 'ab', 'a ', ' a', '1 '];

/**
 * Whether an expression takes too long on rows that are made to be slow for it: long runs with an end that does not
 * match. `within` aborts what exceeds a time of the clock.
 */
export function isSlowPattern(source: string, within?: typeof withinTime): boolean {
  const own = [...new Set(source.match(/[\p{L}\p{N}\p{S}\p{P} ]/gu))].slice(0, 60);
  const rows = [...common, ...own].map((text) => text.repeat(Math.ceil(rowLength / text.length)).slice(0, rowLength));
  const expression = new RegExp(source, 'du');
  const tryAll = (): true => {
    for (const row of rows) for (const end of ['', '\u0001']) expression.test(row + end);
    return true;
  };
  return withinProcessorTime(maxMs, tryAll, within) === undefined;
}
