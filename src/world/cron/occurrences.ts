import type { CronExpression } from './expression.ts';
import type { Zone } from './zone.ts';

const day = 86_400_000;
/** Further than any expression's next date is away. */
const horizon = 120 * 366 * day;

/**
 * The instants after one at which an expression fires in a zone, the earliest first, as milliseconds since 1970.
 *
 * Where hour and minute are fixed it fires once on each local day that it names: a time that the clock leaves out is
 * met at the first instant after the gap, and of a time that comes twice the first counts. Where one of them is open it
 * fires at each minute that really comes: on both sides of a clock that is set back, and never in a gap.
 */
export function occurrencesAfter(cron: CronExpression, zone: Zone, after: number): Iterable<number> {
  return cron.isFixed ? fixedTimes(cron, zone, after) : realTimes(cron, zone, after);
}

function* fixedTimes(cron: CronExpression, zone: Zone, after: number): Iterable<number> {
  let last = after;
  // Later wall times never come at earlier instants here, so none before this one is still to come.
  let wall: number | undefined = after + zone.offsetAt(after);
  while (wall !== undefined) {
    wall = cron.next(wall);
    const instant = wall === undefined ? undefined : instantOf(zone, wall);
    if (instant === undefined || instant <= last) continue;
    yield instant;
    last = instant;
  }
}

/** The instant that stands for a wall time; undefined if the zone's clock leaves out the whole day. */
function instantOf(zone: Zone, wall: number): number | undefined {
  const [early, late] = [zone.offsetAt(wall - day), zone.offsetAt(wall + day)];
  const real = [wall - early, wall - late].filter((instant) => instant + zone.offsetAt(instant) === wall);
  if (real.length > 0) return Math.min(...real);
  const gap = zone.transitionAfter(wall - late - 1, wall - early);
  if (gap === undefined) return wall - early;
  return gap.after - gap.before >= day ? undefined : gap.at;
}

/** From one change of the clock to the next, wall times and instants run alike. */
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
    // Nothing is named up to that wall time, whatever the clock is set to until then.
    from = Math.max(end, wall - offset - 2 * day);
  }
}
