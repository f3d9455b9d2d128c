import { expect } from 'chai';
import { isSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { readCron } from '#world/cron/expression.ts';
import { occurrencesAfter } from '#world/cron/occurrences.ts';
import { zoneOf } from '#world/cron/zone.ts';
import { oracleExpressions, walk, wallTable } from './cron-oracle.ts';
import { changesByDay, disagreement, type ZoneGroup, zoneGroups } from './zone-clocks.ts';

const hour = 3_600_000;
const day = 24 * hour;
const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)];

function firings(expression: string, zone: string, after: number, until: number): number[] {
  const found: number[] = [];
  for (const instant of occurrencesAfter(readCron(expression), zoneOf(zone), after)) {
    if (instant > until) break;
    found.push(instant);
  }
  return found;
}

function times(expression: string, zone: string, after: string, count: number): string[] {
  const found: string[] = [];
  for (const instant of occurrencesAfter(readCron(expression), zoneOf(zone), Date.parse(after))) {
    found.push(new Date(instant).toISOString().slice(0, 16));
    if (found.length === count) break;
  }
  return found;
}

describe('the time rule of schedules', () => {
  let groups: readonly ZoneGroup[] = [];
  before(() => {
    groups = zoneGroups(changesByDay, from - 3 * day, to + 3 * day);
  });

  it('reads the clock of every zone as Intl does', () => {
    expect(groups.flatMap(({ zones }) => zones)).to.have.members(Intl.supportedValuesOf('timeZone'));
    for (const group of groups) expect(disagreement(group, from - 3 * day, to + 3 * day)).to.equal(undefined);
  });

  it('agrees with an oracle that steps minute by minute through two years of every distinct clock', function () {
    this.timeout(180_000);
    const all = [
      ...oracleExpressions.fixed.map((expression) => ({ expression, isFixed: true })),
      ...oracleExpressions.open.map((expression) => ({ expression, isFixed: false })),
    ].map((one) => ({ ...one, isNamed: wallTable(one.expression, from - 6 * day, to + 6 * day) }));
    let [checked, transitions] = [0, 0];
    // Whichever are taken, one of them changes its clock.
    const byChanges = Map.groupBy(groups.entries(), ([, { changes }]) => changes.length > 0);
    const taken = [...byChanges.values()].flatMap((some) => someOf(some, 0, 24));
    for (const [place, group] of taken) {
      const { zones, changes } = group;
      const [zone = ''] = zones;
      for (const [turn, { expression, isNamed, isFixed }] of all.entries()) {
        // All are followed around each change. Through the years go those in turn; all of them do in a bench.
        const isWhole = isFixed && (place + turn) % 5 === 0;
        const around = changes.map(({ at }) => ({ start: at - 26 * hour, end: at + 26 * hour }));
        for (const { start, end } of isWhole ? [{ start: from, end: to }] : around) {
          const offset = changes.findLast(({ at }) => at <= start)?.offset ?? group.offset;
          const expected = walk({ from: start, to: end, offset, changes }, isNamed, isFixed);
          expect(firings(expression, zone, start, end), `${expression} in ${zone}`).to.deep.equal(expected);
          checked += expected.length;
        }
      }
      transitions += changes.length * zones.length;
    }
    const share = taken.length / groups.length;
    expect(transitions).to.be.greaterThan(isSoak ? 100 : 0);
    expect(checked).to.be.greaterThan(50_000 * share);
  });

  it('fires a skipped time at the end of the gap, on the day that lost it', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2)).to.deep.equal([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
    // Nuuk's Saturday ends an hour early.
    expect(times('30 23 * * SAT', 'America/Nuuk', '2026-03-28T12:00Z', 1)).to.deep.equal(['2026-03-29T01:00']);
  });

  it('fires a repeated time once, and an open one at both', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).to.deep.equal([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
    expect(times('30 * * * *', 'Europe/Berlin', '2026-10-24T23:45Z', 3)).to.deep.equal([
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
    ]);
  });

  it('skips a day that a zone never had', () => {
    expect(times('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00Z', 2)).to.deep.equal([
      '2011-12-29T22:00',
      '2011-12-30T22:00',
    ]);
  });

  it('matches either the day of the month or the day of the week if both are restricted', () => {
    expect(times('0 9 1 * MON', 'UTC', '2026-11-30T12:00Z', 2)).to.deep.equal(['2026-12-01T09:00', '2026-12-07T09:00']);
    expect(times('0 9 1 * MON#2', 'UTC', '2026-11-30T12:00Z', 2)).to.deep.equal([
      '2026-12-01T09:00',
      '2026-12-14T09:00',
    ]);
  });
});
