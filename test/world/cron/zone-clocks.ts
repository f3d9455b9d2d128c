import { zoneOf } from '#world/cron/zone.ts';

const minute = 60_000;
const day = 86_400_000;

/** A change of a zone's clock: from that instant on, so much is added to UTC; both in milliseconds. */
export interface ClockChange {
  readonly at: number;
  readonly offset: number;
}

/** Zones whose clocks show the same at every instant of a time. */
export interface ZoneGroup {
  readonly zones: readonly string[];
  /** What is added to UTC where the time begins. */
  readonly offset: number;
  readonly changes: readonly ClockChange[];
}

/** Finds what a zone's clock does from one instant up to another. */
export type FindChanges = (zone: string, from: number, to: number) => readonly ClockChange[];

/** What a zone's wall clock shows at an instant, read off Intl each time. */
export function wallClock(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
}

/**
 * The changes of a zone's clock, found by looking every quarter of an hour, and at each minute of one in which it
 * moved.
 */
export const changesByQuarter: FindChanges = (zone, from, to) => {
  const wallAt = wallClock(zone);
  const changes: ClockChange[] = [];
  let offset = wallAt(from) - from;
  for (let quarter = from; quarter < to; quarter += 15 * minute) {
    const end = quarter + 15 * minute;
    if (wallAt(end) - end === offset) continue;
    for (let at = quarter + minute; at <= end; at += minute) {
      const now = wallAt(at) - at;
      if (now !== offset) changes.push({ at, offset: now });
      offset = now;
    }
  }
  return changes;
};

/** The same, found by halving between days: quick, and blind to a clock that is changed twice within one. */
export const changesByDay: FindChanges = (zone, from, to) => {
  const wallAt = wallClock(zone);
  const offsetAt = (instant: number) => wallAt(instant) - instant;
  const changes: ClockChange[] = [];
  let offset = offsetAt(from);
  for (let start = from; start < to; start += day) {
    const later = offsetAt(start + day);
    if (later === offset) continue;
    let [low, high] = [start, start + day];
    while (high - low > minute) {
      const middle = low + Math.floor((high - low) / (2 * minute)) * minute;
      if (offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    changes.push({ at: high, offset: later });
    offset = later;
  }
  return changes;
};

/** Every zone that Intl knows, put together with those whose clocks do the very same. */
export function zoneGroups(find: FindChanges, from: number, to: number): ZoneGroup[] {
  const clocks = Intl.supportedValuesOf('timeZone').map((zone) => ({
    zone,
    offset: wallClock(zone)(from) - from,
    changes: find(zone, from, to),
  }));
  const alike = Map.groupBy(clocks, ({ offset, changes }) => JSON.stringify([offset, changes]));
  return [...alike.values()].map((group) => ({
    zones: group.map(({ zone }) => zone),
    offset: group[0]?.offset ?? 0,
    changes: group[0]?.changes ?? [],
  }));
}

/**
 * The first zone of a group, and the moment, at which the product's clock of it and the group's part; undefined if none
 * does. The time rule sees of a zone nothing but this clock.
 */
export function disagreement({ zones, offset, changes }: ZoneGroup, from: number, to: number): string | undefined {
  for (const name of zones) {
    const zone = zoneOf(name);
    if (zone.offsetAt(from) !== offset) return `${name} at ${new Date(from).toISOString()}`;
    let [at, before] = [from, offset];
    for (const change of [...changes, undefined]) {
      const found = zone.transitionAfter(at, to);
      const isSame = found?.at === change?.at && (found === undefined || found.before === before);
      if (!isSame || found?.after !== change?.offset) return `${name} after ${new Date(at).toISOString()}`;
      [at, before] = [change?.at ?? to, change?.offset ?? before];
      if (zone.offsetAt(at) !== before) return `${name} at ${new Date(at).toISOString()}`;
    }
  }
  return undefined;
}
