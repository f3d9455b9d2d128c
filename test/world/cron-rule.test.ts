import { expect } from 'chai';
import { readCron } from '#world/cron/expression.ts';
import { occurrencesAfter } from '#world/cron/occurrences.ts';
import { zoneOf } from '#world/cron/zone.ts';
import { oracleExpressions, walk, wallClock, wallTable } from './cron-oracle.ts';

const hour = 3_600_000;
const day = 24 * hour;
const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)];

/** The changes of a zone's clock, found by halving between days: the whole walk is a bench. */
function changesOf(zone: string): { at: number; offset: number }[] {
  const wallAt = wallClock(zone);
  const offsetAt = (instant: number) => wallAt(instant) - instant;
  const changes: { at: number; offset: number }[] = [];
  for (let start = from; start < to; start += day) {
    if (offsetAt(start) === offsetAt(start + day)) continue;
    let [low, high] = [start, start + day];
    while (high - low > 60_000) {
      const middle = low + Math.floor((high - low) / 120_000) * 60_000;
      if (offsetAt(middle) === offsetAt(start)) low = middle;
      else high = middle;
    }
    changes.push({ at: high, offset: offsetAt(high) });
  }
  return changes;
}

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
  it('fires as an oracle says that walks minute by minute through every change of every clock in two years', function () {
    this.timeout(180_000);
    const all = [
      ...oracleExpressions.fixed.map((expression) => ({ expression, isFixed: true })),
      ...oracleExpressions.open.map((expression) => ({ expression, isFixed: false })),
    ].map((one) => ({ ...one, isNamed: wallTable(one.expression, from - 3 * day, to + 3 * day) }));
    let [checked, transitions] = [0, 0];
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      for (const [index, change] of changesOf(zone).entries()) {
        transitions += 1;
        const wallAt = wallClock(zone);
        const start = change.at - 26 * hour;
        const walked = { from: start, to: change.at + 26 * hour, offset: wallAt(start) - start, changes: [change] };
        for (const [place, { expression, isNamed, isFixed }] of all.entries()) {
          // Each change meets every eighth expression, and each zone all of them.
          if ((place + index + transitions) % 8 !== 0) continue;
          const expected = walk(walked, isNamed, isFixed);
          expect(firings(expression, zone, start, walked.to), `${expression} in ${zone}`).to.deep.equal(expected);
          checked += expected.length;
        }
      }
    }
    expect(transitions).to.be.greaterThan(400);
    expect(checked).to.be.greaterThan(5_000);
  });

  it('fires a time that the clock leaves out when the gap ends, for the day that lost it', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2)).to.deep.equal([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
    // Nuuk's Saturday ends an hour early.
    expect(times('30 23 * * SAT', 'America/Nuuk', '2026-03-28T12:00Z', 1)).to.deep.equal(['2026-03-29T01:00']);
  });

  it('fires a time that comes twice once, and an open one at both', () => {
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

  it('leaves out a day that a zone never had', () => {
    expect(times('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00Z', 2)).to.deep.equal([
      '2011-12-29T22:00',
      '2011-12-30T22:00',
    ]);
  });

  it('takes either of a day of the month and a day of the week where both are named', () => {
    expect(times('0 9 1 * MON', 'UTC', '2026-11-30T12:00Z', 2)).to.deep.equal(['2026-12-01T09:00', '2026-12-07T09:00']);
    expect(times('0 9 1 * MON#2', 'UTC', '2026-11-30T12:00Z', 2)).to.deep.equal([
      '2026-12-01T09:00',
      '2026-12-14T09:00',
    ]);
  });
});
