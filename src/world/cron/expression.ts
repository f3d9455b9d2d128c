import { CronExpressionParser, type CronExpression as Parsed } from 'cron-parser';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { fieldRules, readField } from './field.ts';

/** A parsed cron expression. It is only about wall-clock times; occurrences.ts maps these to instants. */
export interface CronExpression {
  /** Whether hour and minute are fixed, so that it should fire once on each matching day. */
  readonly isFixed: boolean;
  /**
   * The first matching minute after a time. Both are wall-clock times, in milliseconds since 1970 as if in UTC.
   * Undefined if none follows in the foreseeable future.
   */
  next(wall: number): number | undefined;
}

/** The maximum length of an expression, in characters. */
const longest = 256;
const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
/** How many results an expression caches. */
const remembers = 8;
const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** The calendar repeats itself after this long. */
const horizon = 400 * 366 * 86_400_000;

/**
 * Parses an expression with five fields.
 * @throws INVALID_ARGUMENT naming the field and its allowed values
 */
export function readCron(text: string): CronExpression {
  if (text.length > longest)
    throw refused(text, `it is ${text.length} characters long, and at most ${longest} are allowed`);
  if (/[^\x20-\x7e\t]/.test(text)) throw refused(text, 'it must be one line of plain characters');
  const words = text.split(/[ \t]+/).filter((word) => word !== '');
  if (words[0]?.startsWith('@')) throw refusedNickname(text, words[0]);
  if (words.length !== fieldRules.length) throw refusedCount(text, words.length);
  const fields = words.map((word, place) => readField(place, word));
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields;
  if (dayOfWeek?.isFree && dayOfMonth?.values && month?.values) refuseNoDay(text, dayOfMonth.values, month.values);
  const normal = fields.map((field) => field.normal).join(' ');
  const parsed = parse(text, normal);
  return { isFixed: !minute?.isWild && !hour?.isWild, next: remembered((wall) => nextOf(parsed, wall)) };
}

function parse(text: string, normal: string): Parsed {
  try {
    return CronExpressionParser.parse(normal, { tz: 'UTC' });
  } catch (error) {
    throw refused(text, error instanceof Error ? error.message : 'it cannot be read');
  }
}

/** Caches results, because thousands of schedules may request the same next time from slightly different times. */
function remembered(next: CronExpression['next']): CronExpression['next'] {
  const found: { readonly from: number; readonly to: number | undefined }[] = [];
  let oldest = 0;
  return (wall) => {
    const known = found.find(({ from, to = Number.POSITIVE_INFINITY }) => from <= wall && wall < to);
    if (known !== undefined) return known.to;
    const to = next(wall);
    found[oldest] = { from: wall, to };
    oldest = (oldest + 1) % remembers;
    return to;
  };
}

function nextOf(parsed: Parsed, wall: number): number | undefined {
  try {
    parsed.reset(new Date(wall));
    const next = parsed.next().getTime();
    return next - wall > horizon ? undefined : next;
  } catch {
    return undefined;
  }
}

function refused(text: string, why: string): Failure {
  return new Failure(
    'INVALID_CRON',
    `cron is ${quoted(text, 60)}: ${why}; write minute, hour, day of month, month and day of week, such as 0 9 * * MON-FRI`,
    { field: 'cron' },
  );
}

function refusedNickname(text: string, nickname: string): Failure {
  const same = nicknames[nickname.toLowerCase()];
  return refused(text, same === undefined ? 'names are not supported' : `names are not supported: write ${same}`);
}

function refusedCount(text: string, count: number): Failure {
  const more = count > fieldRules.length ? ': seconds and years are not supported' : '';
  return refused(text, `it has ${count} field${count === 1 ? '' : 's'} and must have ${fieldRules.length}${more}`);
}

function refuseNoDay(text: string, days: ReadonlySet<number>, months: ReadonlySet<number>): void {
  const max = Math.max(...[...months].map((month) => longestMonths[month - 1] ?? 31));
  const first = Math.min(...days);
  if (first <= max) return;
  throw new Failure(
    'INVALID_CRON',
    `cron field 3 (day of month) of ${quoted(text, 60)} names ${first}, which no month of field 4 has: it would never fire`,
    { field: 'cron' },
  );
}
