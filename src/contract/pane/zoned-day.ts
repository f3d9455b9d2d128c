/** A day of the calendar; months count from 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly date: number;
}

/** Whether a time zone is known. */
export function isZone(zone: string): boolean {
  try {
    return formatOf(zone).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The day that a calendar in a zone shows at a time, in milliseconds since 1970. */
export function dayAt(at: number, zone: string): Day {
  const { year = 1970, month = 1, day: date = 1 } = partsAt(at, zone);
  return { year, month, date };
}

/** The day before. */
export function dayBefore({ year, month, date }: Day): Day {
  const before = new Date(Date.UTC(year, month - 1, date - 1));
  return { year: before.getUTCFullYear(), month: before.getUTCMonth() + 1, date: before.getUTCDate() };
}

/** The day of the week: 0 is Sunday. */
export function weekdayOf({ year, month, date }: Day): number {
  return new Date(Date.UTC(year, month - 1, date)).getUTCDay();
}

/** When clocks in a zone show a time of a day, in milliseconds since 1970. */
export function instantOf(
  { year, month, date }: Day,
  { hours, minutes }: { readonly hours: number; readonly minutes: number },
  zone: string,
): number {
  const wall = Date.UTC(year, month - 1, date, hours, minutes);
  const first = wall - offsetAt(wall, zone);
  // The clock may be set between the two.
  return wall - offsetAt(first, zone);
}

/** How far clocks in a zone are ahead of UTC at a time, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = partsAt(at, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

function partsAt(at: number, zone: string): Partial<Record<string, number>> {
  const parts = formatOf(zone).formatToParts(at);
  return Object.fromEntries(
    parts.filter(({ type }) => type !== 'literal').map(({ type, value }) => [type, Number(value)]),
  );
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const numeric = 'numeric';
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
}
