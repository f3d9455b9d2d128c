import { expect } from 'chai';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { resetTimeOf } from '#machines/pane/limit/reset-time.ts';
import { shownLimit } from '#machines/pane/limit/shown-limit.ts';
import { read } from '#machines/pane/read.ts';
import { loadGoldens } from './golden-screen.ts';

/** A Saturday, 13:00 in Berlin. */
const now = Date.parse('2026-11-28T12:00:00Z');
const zone = 'Europe/Berlin';
const at = (words: string, when = now): string | undefined => {
  const time = resetTimeOf(words, when, zone);
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 16);
};

describe('the end of a limit', () => {
  for (const [words, end] of [
    ['3pm', '2026-11-28T14:00'],
    ['3pm (Europe/Berlin)', '2026-11-28T14:00'],
    ['3pm (America/New_York)', '2026-11-28T20:00'],
    ['3:10 PM', '2026-11-28T14:10'],
    ['3:45 PM PDT', '2026-11-28T22:45'],
    ['15:45', '2026-11-28T14:45'],
    ['9am', '2026-11-29T08:00'],
    ['00:00 UTC', '2026-11-29T00:00'],
    ['12am', '2026-11-28T23:00'],
    ['midnight', '2026-11-28T23:00'],
    ['16:00 UTC+2', '2026-11-28T14:00'],
    ['16:00 UTC-3', '2026-11-28T19:00'],
    ['16:00 UTC-3:30', '2026-11-28T19:30'],
    ['5pm IST', '2026-11-28T11:30'],
    ['2h 15m', '2026-11-28T14:15'],
    ['2 hours 5 minutes', '2026-11-28T14:05'],
    ['in 2 hours and 5 minutes.', '2026-11-28T14:05'],
    ['3 p.m.', '2026-11-28T14:00'],
    ['1 hour', '2026-11-28T13:00'],
    ['3 days 4 hours 10 minutes', '2026-12-01T16:10'],
    ['4h12m33s', '2026-11-28T16:12'],
    ['in 45s', '2026-11-28T12:00'],
    ['Dec 1', '2026-11-30T23:00'],
    ['Dec 1, 1pm', '2026-12-01T12:00'],
    ['Dec 3 at 9am (UTC)', '2026-12-03T09:00'],
    ['Dec 3rd, 2026 9:16 AM', '2026-12-03T08:16'],
    ['1 January', '2026-12-31T23:00'],
    ['Jan 1', '2026-12-31T23:00'],
    ['Nov 28, 11am', '2026-11-28T10:00'],
    ['Nov 20', '2026-11-19T23:00'],
    ['2026-12-03 09:16', '2026-12-03T08:16'],
    ['2026-12-03T09:16:00Z', '2026-12-03T09:16'],
    ['tomorrow at 8am', '2026-11-29T07:00'],
    ['Monday 9am', '2026-11-30T08:00'],
    ['Sat 6:00 PM', '2026-11-28T17:00'],
    ['1796000000', '2026-11-30T00:53'],
  ] as const) {
    it(`“${words}” is ${end}`, () => {
      expect(at(words)).to.equal(end);
    });
  }

  it('is not read from words without a time', () => {
    for (const words of ['', 'soon', 'a few moments', '25:70', '13pm', 'Foo 12', '2026-13-45'])
      expect(at(words), words).to.equal(undefined);
  });

  it('is not read from words that name no time of a calendar, and an unknown zone is that of the host', () => {
    for (const words of ['99999999999999 weeks', `${'9'.repeat(400)}d`, '0001-01-01', 'Dec 31, 0001'])
      expect(at(words), words.slice(0, 30)).to.equal(undefined);
    for (const words of ['3pm UTC+99', '3pm (UTC+14:99)', '15:00+99:99', '3pm (Europe/Nowhere)'])
      expect(at(words), words).to.equal('2026-11-28T14:00');
  });

  it('is a whole number of milliseconds', () => {
    for (const words of ['1.1 h', '4.35h', '1.8981234s'])
      expect(Number.isInteger(resetTimeOf(words, now, zone)), words).to.equal(true);
  });

  it('of a time of day that has just passed is over, and not tomorrow', () => {
    expect(at('12:50 PM')).to.equal('2026-11-28T11:50');
    expect(at('11am')).to.equal('2026-11-29T10:00');
    expect(at('11:50 PM', Date.parse('2026-11-28T23:10:00Z'))).to.equal('2026-11-28T22:50');
  });

  it('is right on the days on which clocks are set', () => {
    expect(at('3pm', Date.parse('2026-03-29T00:30:00Z'))).to.equal('2026-03-29T13:00');
    expect(at('3pm', Date.parse('2026-10-25T00:30:00Z'))).to.equal('2026-10-25T14:00');
    expect(at('1:30am', Date.parse('2026-10-24T22:00:00Z'))).to.equal('2026-10-24T23:30');
  });
});

describe('recorded screens with a limit', () => {
  const goldens = loadGoldens();
  const shown = (harness: string, name: string) => {
    const golden = goldens.find((one) => one.harness === harness && one.name === name);
    if (golden === undefined) throw new Error(`there is no screen ${harness}/${name}`);
    return shownLimit(read(screensOf(builtIn, harness), golden.capture), now, zone);
  };

  const usage: readonly (readonly [harness: string, name: string, end: string | undefined])[] = [
    ['claude', 'rate-limit-usage', '2026-11-28T14:00'],
    ['claude', 'rate-limit-extra-usage', '2026-11-28T14:00'],
    ['claude', 'rate-limit-wrapped', '2026-11-28T14:00'],
    ['claude', 'usage-limit-dialog', '2026-11-28T14:00'],
    ['claude', 'rate-limit-continues', '2026-11-29T08:25'],
    ['claude', 'rate-limit-continues-shortly', '2026-11-29T08:25'],
    ['codex', 'rate-limit-usage', '2026-11-28T14:10'],
    ['copilot', 'rate-limit-usage', '2026-11-30T23:00'],
    ['gemini', 'rate-limit-dialog', '2026-11-28T22:45'],
    ['gemini', 'usage-limit-dialog', '2026-11-28T13:00'],
    ['qwen', 'rate-limit-usage', '2026-11-29T00:00'],
  ];

  for (const [harness, name, end] of usage) {
    it(`${harness} (${name}) ends ${end}`, () => {
      const limit = shown(harness, name);
      expect(limit?.kind).to.equal('usage');
      expect(limit?.until === undefined ? undefined : new Date(limit.until).toISOString().slice(0, 16)).to.equal(end);
    });
  }

  it('say whether the CLI continues by itself', () => {
    for (const [harness, name] of usage)
      expect(shown(harness, name)?.continues, name).to.equal(name.includes('continues') || undefined);
  });

  it('are all in this table', () => {
    const limited = goldens
      .filter(({ reason }) => reason === 'usage-limit')
      .map(({ harness, name }) => `${harness} ${name}`);
    expect(limited.toSorted()).to.deep.equal(usage.map(([harness, name]) => `${harness} ${name}`).toSorted());
  });

  it('of a refused credential have no end', () => {
    for (const [harness, name] of [
      ['claude', 'error-banner-refused'],
      ['codex', 'error-banner-401'],
      ['gemini', 'error-banner-401'],
      ['claude', 'login-signed-out'],
    ] as const) {
      expect(shown(harness, name), `${harness} ${name}`).to.deep.equal({ kind: 'credential' });
    }
  });

  it('are read from whole sentences, and not while the CLI works', () => {
    const shows = (sentence: string, state: 'AGENT_STATE_IDLE' | 'AGENT_STATE_THINKING' = 'AGENT_STATE_IDLE') =>
      shownLimit({ state, reason: 'usage-limit', detail: '', evidence: sentence.split('|') }, now, zone);
    const until = Date.parse('2026-11-28T14:00:00Z');
    for (const sentence of ['Try again at|3pm.', 'Your limit resets 3pm', 'It is available again in|2h'])
      expect(shows(sentence), sentence).to.deep.equal({ kind: 'usage', until });
    expect(shows('You are at your limit')).to.deep.equal({ kind: 'usage' });
    expect(shows('resets 3pm', 'AGENT_STATE_THINKING')).to.equal(undefined);
  });

  it('of other failures are no limit of the account', () => {
    expect(shown('claude', 'rate-limit-429')).to.equal(undefined);
    expect(shown('codex', 'rate-limit-429')).to.equal(undefined);
  });
});
