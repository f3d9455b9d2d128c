import { Failure } from '#contract/failure.ts';
import { durationMs, durationRule, intervalMs, intervalRule } from '#contract/parse/interval.ts';
import { quoted } from '#contract/quoted.ts';

/** A date, or a date with a time. `Date.parse` alone also takes a bare number, as a year or a month. */
const exactTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i;
const exactRule = 'or a time such as 2026-12-01T09:00:00Z';

/** A time limit in milliseconds, given with an option. @throws INVALID_USAGE when the text is none */
export function timeLimitMs(option: string, text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw refused(option, text, durationRule);
  return ms;
}

/** A time in RFC 3339, given as such or as how long ago it was. @throws INVALID_USAGE when the text is neither */
export function pastTime(option: string, text: string, now: number): string {
  const ago = intervalMs(text);
  const at = exactly(text) ?? (ago === undefined ? undefined : now - ago);
  if (at === undefined) throw refused(option, text, `${intervalRule}, ${exactRule}`);
  return new Date(at).toISOString();
}

/** A time in RFC 3339, given as such or as a time from now. @throws INVALID_USAGE when the text is neither */
export function comingTime(option: string, text: string, now: number): string {
  const left = durationMs(text);
  const at = exactly(text) ?? (left === undefined ? undefined : now + left);
  if (at === undefined) throw refused(option, text, `${durationRule}, ${exactRule}`);
  return new Date(at).toISOString();
}

function exactly(text: string): number | undefined {
  const at = exactTime.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function refused(option: string, text: string, rule: string): Failure {
  return new Failure('INVALID_USAGE', `${option} is ${quoted(text)}: give ${rule}`);
}
