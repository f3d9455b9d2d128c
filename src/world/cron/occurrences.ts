import type { CronExpression } from './expression.ts';
import type { Zone } from './zone.ts';

const day = 86_400_000;
/** Longer than the wait for any expression's next date. */
const horizon = 120 * 366 * day;

/**
 * The instants after a given one at which an expression fires in a zone, in ascending order, in milliseconds since 1970.
 *
 * If hour and minute are fixed, it fires once on each matching local day: a time that the clock skips fires at the first
 * instant after the gap, and a repeated time fires the first time only. If one of them is not fixed, it fires at each
 * matching minute that actually occurs: also during a repeated hour, and never in a gap.
 */
export function occurrencesAfter(cron: CronExpression, zone: Zone, after: number): Iterable<number> {
  return cron.isFixed ? fixedTimes(cron, zone, after) : realTimes(cron, zone, after);
}

function* fixedTimes(cron: CronExpression, zone: Zone, after: number): Iterable<number> {
  let last = after;
  // Later wall times never have earlier instants here, so earlier wall times can be skipped.
  let wall: number | undefined = after + zone.offsetAt(after);
  while (wall !== undefined) {
    wall = cron.next(wall);
    const instant = wall === undefined ? undefined : instantOf(zone, wall);
    if (instant === undefined || instant <= last) continue;
    yield instant;
    last = instant;
  }
}

/** The instant for a wall time; undefined if the zone's clock skips the whole day. */
function instantOf(zone: Zone, wall: number): number | undefined {
  const [early, late] = [zone.offsetAt(wall - day), zone.offsetAt(wall + day)];
  const real = [wall - early, wall - late].filter((instant) => instant + zone.offsetAt(instant) === wall);
  if (real.length > 0) return Math.min(...real);
  const gap = zone.transitionAfter(wall - late - 1, wall - early);
  if (gap === undefined) return wall - early;
  return gap.after - gap.before >= day ? undefined : gap.at;
}

/** Matching minutes that actually occur. Between two clock changes, wall times and instants advance together. */
function* realTimes(cron: CronExpression, zone: Zone, after: number): Iterable<number> {
  for (let from = after + 1; from <= after + horizon; ) {
    const offset = zone.offsetAt(from);
    const change = zone.transitionAfter(from, from + 366 * day);
    const end = change?.at ?? from + 366 * day;
    let wall: number | undefined = from + offset - 1;
    for (;;) {
      wall = cron.next(wall);
      if (wall === undefined) return;
      if (wall - offset >= end) break;
      yield wall - offset;
    }
    // There is no match up to that wall time, whatever clock changes occur until then.
    from = Math.max(end, wall - offset - 2 * day);
  }
}
