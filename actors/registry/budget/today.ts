import type { Day } from '#machines/budget/budget.ts';
import { zoneOf } from '#world/cron/zone.ts';

/** The longest that a day can be, when clocks are set back in it, in milliseconds. */
const longest = 26 * 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** The day of a time in a time zone. Blank means the computer's own zone. Times are milliseconds since 1970. */
export function dayOf(now: number, timezone = ''): Day {
  const zone = zoneOf(timezone);
  const dateAt = (instant: number): number => Math.floor((instant + zone.offsetAt(instant)) / dayMs);
  const date = dateAt(now);
  return {
    startsAt: firstInstant(now - longest, now, (at) => dateAt(at) >= date),
    endsAt: firstInstant(now, now + longest, (at) => dateAt(at) > date),
  };
}

/** The first instant after `from` and up to `to` at which a condition is met that stays met. */
function firstInstant(from: number, to: number, isMet: (instant: number) => boolean): number {
  let [early, late] = [from, to];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (isMet(middle)) late = middle;
    else early = middle;
  }
  return late;
}
