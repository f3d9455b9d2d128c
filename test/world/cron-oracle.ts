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

/** Whether an expression names a wall time (milliseconds as if in UTC): read apart from the product's own reading. */
export function namesWall(expression: string): (wall: number) => boolean {
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
  return (wall) => {
    const date = new Date(wall);
    if (!has(minutes, date.getUTCMinutes(), 59) || !has(hours, date.getUTCHours(), 23)) return false;
    if (!has(month, date.getUTCMonth() + 1, 12, -1, months)) return false;
    if (dates === '*') return isWeekday(date);
    return weekdays === '*' ? isDate(date) : isDate(date) || isWeekday(date);
  };
}

function lastDateOf(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function has(field: string, value: number, most: number, last = -1, spelled: readonly string[] = []): boolean {
  const number = (text: string) => (spelled.includes(text) ? spelled.indexOf(text) : Number(text));
  return field.split(',').some((item) => {
    if (item === 'L') return value === last;
    const [range = '', step = '1'] = item.split('/');
    const [from = '', to = from] = range === '*' ? ['0', String(most)] : range.split('-');
    return value >= number(from) && value <= number(to) && (value - number(from)) % Number(step) === 0;
  });
}

/** What a zone's wall clock shows at an instant, read off Intl each time. */
export function wallClock(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
}

/**
 * The changes of a zone's clock between two instants, found by looking every quarter of an hour, and at each minute of one
 * in which something moved.
 */
export function clockChanges(zone: string, from: number, to: number): { at: number; offset: number }[] {
  const wallAt = wallClock(zone);
  const changes: { at: number; offset: number }[] = [];
  let offset = wallAt(from) - from;
  for (let quarter = from; quarter < to; quarter += 15 * minute) {
    if (wallAt(quarter + 15 * minute) - quarter - 15 * minute === offset) continue;
    for (let at = quarter; at <= quarter + 15 * minute; at += minute) {
      const now = wallAt(at) - at;
      if (now !== offset) changes.push({ at, offset: now });
      offset = now;
    }
  }
  return changes;
}

/** Which wall minutes an expression names, as a table from one wall time on. */
export function wallTable(expression: string, from: number, to: number): (wall: number) => boolean {
  const isNamed = namesWall(expression);
  const table = new Uint8Array((to - from) / minute);
  for (let index = 0; index < table.length; index += 1) table[index] = Number(isNamed(from + index * minute));
  return (wall) => table[(wall - from) / minute] === 1;
}

/** What the oracle walks through: the instants after one and up to another, and the clock in between. */
interface Walk {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  readonly changes: readonly { readonly at: number; readonly offset: number }[];
}

/**
 * Walks minute by minute and notes each at which an expression fires. One with fixed times fires for each wall minute when the
 * clock first shows it or has left it behind; any other whenever the clock shows a minute that it names.
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
    // A day that the clock leaves out whole is no local day.
    let named = wall - newest > day ? isNamed(wall) : false;
    for (let one = newest + minute; wall - newest <= day && one <= wall; one += minute) named ||= isNamed(one);
    if (named) fired.push(at);
    newest = wall;
  }
  return fired;
}
