import { expect } from 'chai';
import { dayOf } from '#actors/registry/budget/today.ts';

describe('the day of a budget', () => {
  const day = (now: string, timezone: string) => {
    const { startsAt, endsAt } = dayOf(Date.parse(now), timezone);
    return [startsAt, endsAt].map((at) => new Date(at).toISOString());
  };

  it('is that of the time zone, also when clocks are set', () => {
    expect(day('2026-11-21T09:00:00Z', 'UTC')).to.deep.equal(['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z']);
    expect(day('2026-11-21T23:30:00Z', 'Europe/Paris')).to.deep.equal([
      '2026-11-21T23:00:00.000Z',
      '2026-11-22T23:00:00.000Z',
    ]);
    // 23 and 25 hours.
    expect(day('2026-03-29T12:00:00Z', 'Europe/Paris')).to.deep.equal([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(day('2026-10-25T12:00:00Z', 'Europe/Paris')).to.deep.equal([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  it('begins with its first instant, and ends before the next', () => {
    const { startsAt, endsAt } = dayOf(Date.parse('2026-11-21T09:00:00Z'), 'America/New_York');
    expect(dayOf(startsAt, 'America/New_York')).to.deep.equal({ startsAt, endsAt });
    expect(dayOf(endsAt - 1, 'America/New_York')).to.deep.equal({ startsAt, endsAt });
    expect(dayOf(endsAt, 'America/New_York').startsAt).to.equal(endsAt);
  });
});
