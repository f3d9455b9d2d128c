import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

/** One of the five fields of a cron expression. */
interface FieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names of values. The first one means `min`. */
  readonly names: readonly string[];
}

/** A parsed field. */
export interface CronField {
  /** The normalized text for cron-parser: without names, and without ranges that end on Sunday by name. */
  readonly normal: string;
  /** Whether it contains a wildcard, perhaps with steps. */
  readonly isWild: boolean;
  /** Whether it is just `*`, so that it restricts nothing. */
  readonly isFree: boolean;
  /** The values that it matches; undefined if they depend on the month (`L`, `#`). */
  readonly values: ReadonlySet<number> | undefined;
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The fields in order. */
export const fieldRules: readonly FieldRule[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: months },
  { name: 'day of week', min: 0, max: 7, names: days },
];

interface Item {
  readonly normal: string;
  readonly isWild: boolean;
  readonly values: readonly number[] | undefined;
}

/**
 * Parses one field. `place` counts from zero.
 * @throws INVALID_ARGUMENT naming the field, its value and the allowed values
 */
export function readField(place: number, text: string): CronField {
  const rule = fieldRules[place];
  if (rule === undefined) throw new Failure('INTERNAL', `A cron expression has no field ${place + 1}`);
  const refuse: RejectField = (why) =>
    new Failure('INVALID_CRON', `cron field ${place + 1} (${rule.name}) is ${quoted(text, 60)}: ${why}`, {
      field: 'cron',
    });
  if (/#.*,|,.*#/.test(text)) throw refuse('# must be alone in its field: make another schedule for the other days');
  const items = text.split(',').map((item) => readItem(rule, item, refuse));
  const plain = items.flatMap(({ values }) => values ?? []);
  return {
    normal: items.map(({ normal }) => normal).join(','),
    isWild: items.some(({ isWild }) => isWild),
    isFree: text === '*',
    values: items.every(({ values }) => values !== undefined) ? new Set(plain) : undefined,
  };
}

type RejectField = (why: string) => Failure;

function readItem(rule: FieldRule, item: string, refuse: RejectField): Item {
  if (item === '') throw refuse('a value is missing next to a comma');
  const special = specialItem(rule, item, refuse);
  if (special !== undefined) return special;
  const [range = '', step, ...more] = item.split('/');
  if (more.length > 0) throw refuse(`${quoted(item)} has more than one step`);
  const isStar = range === '*';
  const [first = '', last, ...others] = isStar ? [String(rule.min), String(topOf(rule))] : range.split('-');
  if (others.length > 0) throw refuse(`${quoted(range)} is not a range: write two values with one - between them`);
  const from = readValue(rule, first, refuse);
  const to = last === undefined ? from : endOf(rule, readValue(rule, last, refuse), last);
  if (to < from) throw refuse(`the range ${quoted(range)} runs backwards: write two ranges with a comma between them`);
  const by = step === undefined ? 1 : readStep(rule, step, refuse);
  if (step !== undefined && last === undefined) {
    throw refuse(`a step needs a range: write ${from}-${topOf(rule)}/${step}, or */${step} to begin at ${rule.min}`);
  }
  const spelled = isStar ? '*' : last === undefined ? `${from}` : `${from}-${to}`;
  return {
    normal: step === undefined ? spelled : `${spelled}/${by}`,
    isWild: isStar || step !== undefined,
    values: Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by),
  };
}

/** Items that mean another date in each month. Refuses syntax that only other programs support. */
function specialItem(rule: FieldRule, item: string, refuse: RejectField): Item | undefined {
  if (item === '?') throw refuse('? is not supported: write *');
  const upper = item.toUpperCase();
  if (/^H(\(|\/|$)/.test(upper))
    throw refuse('H is not supported: write the value itself, and set jitter to spread starts');
  if (rule.name === 'day of month') {
    if (upper === 'L') return { normal: 'L', isWild: false, values: undefined };
    if (/W$/.test(upper)) throw refuse('W (the nearest working day) is not supported: name days of the week instead');
    if (/^L-/.test(upper))
      throw refuse('days before the last one are not supported: L alone is the last day of the month');
  }
  if (rule.name === 'day of week') return weekdayOfMonth(rule, upper, refuse);
  if (upper === 'L') throw refuse('L is allowed only as the last day of the month, and after a day of the week');
  if (item.includes('#')) throw refuse('# is allowed only after a day of the week');
  return undefined;
}

function weekdayOfMonth(rule: FieldRule, item: string, refuse: RejectField): Item | undefined {
  if (item === 'L') throw refuse('L needs a day before it: 5L is the last Friday of the month');
  const [day = '', nth, ...more] = item.split('#');
  if (nth !== undefined) {
    if (more.length > 0 || !/^[1-5]$/.test(nth))
      throw refuse(`# must be followed by which one of the month it is, from 1 to 5`);
    return { normal: `${readValue(rule, day, refuse) % 7}#${nth}`, isWild: false, values: undefined };
  }
  if (!/^.+L$/.test(item)) return undefined;
  return { normal: `${readValue(rule, item.slice(0, -1), refuse) % 7}L`, isWild: false, values: undefined };
}

function readValue(rule: FieldRule, text: string, refuse: RejectField): number {
  const { name, min, max, names } = rule;
  const named = names.indexOf(text.toUpperCase());
  if (named >= 0) return min + named;
  const value = /^[0-9]{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const spelled = names.length > 0 ? `, or a name from ${names[0]} to ${names.at(-1)}` : '';
  throw refuse(`${quoted(text)} is not a ${name}: give a number from ${min} to ${max}${spelled}`);
}

function readStep(rule: FieldRule, text: string, refuse: RejectField): number {
  const max = topOf(rule);
  const step = /^[0-9]{1,2}$/.test(text) ? Number(text) : 0;
  if (step >= 1 && step <= max) return step;
  throw refuse(`${quoted(text)} is not a step: give a number from 1 to ${max}`);
}

/** The last value for steps. Sunday is both 0 and 7, but counts once. */
function topOf({ names, max }: FieldRule): number {
  return names === days ? 6 : max;
}

/** The end of a range. A range of days may end on Sunday by name, which then means 7. */
function endOf({ names }: FieldRule, value: number, text: string): number {
  return names === days && value === 0 && text !== '0' ? 7 : value;
}
