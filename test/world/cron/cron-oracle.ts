import type { ClockChange } from './zone-clocks.ts';

const minute = 60_000;
const day = 86_400_000;

/** Expressions for which hour and minute are fixed, and such for which one of them is open. */
export const oracleExpressions = {
  fixed: [
    '0 2 * * *',
    '15 2 * * *',
    '30 2 * * *',
    '45 2 * * *',
    '0 0 * * *',
    '30 0 * * *',
    '0 22 * * *',
    '0 23 * * *',
    '30 23 * * *',
    '59 23 * * *',
    '0 1,3 * * *',
    '30 1-4 * * *',
    '0,30 2 1-7 3,10 SUN',
    '30 2 * * SUN',
    '0 23 * * SATL',
    '0 3 * * SUN#2',
    '0 0 L * *',
  ],
  open: [
    '0 * * * *',
    '45 * * * *',
    '*/15 * * * *',
    '*/30 2 * * *',
    '0 */2 * * *',
    '30 1-23/2 * * *',
    '*/20 0-4 * MAR,OCT *',
  ],
} as const;

const names = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const months = ['', 'JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** What an expression names, read apart from the product's own reading. */
interface Named {
  day(date: Date): boolean;
  /** `of` is the minute of the day. */
  minute(of: number): boolean;
}

function namedBy(expression: string): Named {
  const [minutes = '', hours = '', dates = '', month = '', weekdays = ''] = expression.split(' ');
  const isDate = (date: Date) => has(dates, date.getUTCDate(), 31, lastDateOf(date));
  const isWeekday = (date: Date) =>
    weekdays.split(',').some((item) => {
      const [name = '', nth] = item.replace(/L$/, '').split('#');
      const nthOf = Math.ceil(date.getUTCDate() / 7);
      if (nth !== undefined) return names.indexOf(name) === date.getUTCDay() && Number(nth) === nthOf;
      if (/.L$/.test(item)) return names.indexOf(name) === date.getUTCDay() && date.getUTCDate() + 7 > lastDateOf(date);
      return has(item, date.getUTCDay(), 6, -1, names);
    });
  return {
    day(date) {
      if (!has(month, date.getUTCMonth() + 1, 12, -1, months)) return false;
      if (dates === '*') return isWeekday(date);
      return weekdays === '*' ? isDate(date) : isDate(date) || isWeekday(date);
    },
    minute: (of) => has(minutes, of % 60, 59) && has(hours, Math.floor(of / 60), 23),
  };
}

function lastDateOf(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function has(field: string, value: number, max: number, last = -1, spelled: readonly string[] = []): boolean {
  const number = (text: string) => (spelled.includes(text) ? spelled.indexOf(text) : Number(text));
  return field.split(',').some((item) => {
    if (item === 'L') return value === last;
    const [range = '', step = '1'] = item.split('/');
    const [from = '', to = from] = range === '*' ? ['0', String(max)] : range.split('-');
    return value >= number(from) && value <= number(to) && (value - number(from)) % Number(step) === 0;
  });
}

/** Which wall minutes an expression names, as a table of the whole days from one wall midnight to another. */
export function wallTable(expression: string, from: number, to: number): (wall: number) => boolean {
  const named = namedBy(expression);
  const perDay = day / minute;
  const minutes = Uint8Array.from({ length: perDay }, (_, of) => Number(named.minute(of)));
  const table = new Uint8Array((to - from) / minute);
  for (let at = from; at < to; at += day) {
    if (named.day(new Date(at))) table.set(minutes, (at - from) / minute);
  }
  return (wall) => table[(wall - from) / minute] === 1;
}

/** What the oracle walks through: the instants after one and up to another, and the clock in between. */
interface Walk {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  readonly changes: readonly ClockChange[];
}

/**
 * Walks minute by minute and notes each at which an expression fires. One with fixed times fires for each wall minute
 * when the clock first shows it or has left it behind; any other whenever the clock shows a minute that it names.
 */
export function walk(
  { from, to, offset, changes }: Walk,
  isNamed: (wall: number) => boolean,
  isFixed: boolean,
): number[] {
  const fired: number[] = [];
  let [now, newest, next] = [offset, from + offset, 0];
  for (let at = from + minute; at <= to; at += minute) {
    for (; (changes[next]?.at ?? Number.POSITIVE_INFINITY) <= at; next += 1) now = changes[next]?.offset ?? now;
    const wall = at + now;
    if (!isFixed) {
      if (isNamed(wall)) fired.push(at);
      continue;
    }
    if (wall <= newest) continue;
    // A day that the clock leaves out whole is not a local day.
    let named = wall - newest > day ? isNamed(wall) : false;
    for (let one = newest + minute; wall - newest <= day && one <= wall; one += minute) named ||= isNamed(one);
    if (named) fired.push(at);
    newest = wall;
  }
  return fired;
}
