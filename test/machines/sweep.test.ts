import { expect } from 'chai';
import fc from 'fast-check';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { begin, decide } from '#machines/decide.ts';
import { sweepDefinition, sweepInterval, sweepPhase } from '#machines/forge/sweep.ts';
import type { SweepContext, SweepEvent } from '#machines/forge/sweep-context.ts';

const lease = 'one';
const claim = { type: 'CLAIM', now: 0, lease, until: 90_000 } as const;
const done = { type: 'DONE', lease, now: 1_000, spread: 0.5, stretch: 1, unsettled: false } as const;
const failed = { type: 'FAILED', lease, now: 1_000, spread: 0.5, reason: 'why', retryAt: null } as const;
const unsettled = { ...done, unsettled: true } as const;

/** Each state with the events that lead to it. */
const ways: Readonly<Record<string, readonly SweepEvent[]>> = {
  due: [],
  sweeping: [claim],
  resting: [claim, done],
  unsettled: [claim, unsettled],
  rereading: [claim, unsettled, { ...claim, now: 4_000 }],
  backingOff: [claim, failed],
  dormant: [{ type: 'UNWANTED' }],
};

const late = 10_000_000;
const events: readonly SweepEvent[] = [
  { type: 'WANTED', now: late, pace: 'idle', spread: 0.5 },
  { type: 'UNWANTED' },
  { type: 'NUDGE', now: late },
  { type: 'PAUSE', until: late + 1_000 },
  { type: 'CLAIM', now: late, lease: 'two', until: late + 90_000 },
  { type: 'HEARTBEAT', lease, until: late },
  { ...done, now: late },
  failed,
  { type: 'RELEASE', lease, now: late },
  { type: 'LOST', now: late },
];

/** The result of each event in each state; all others are refused. */
const table: Readonly<Record<string, Readonly<Partial<Record<SweepEvent['type'], string>>>>> = {
  due: { WANTED: 'due', UNWANTED: 'dormant', NUDGE: 'due', PAUSE: 'backingOff', CLAIM: 'sweeping' },
  sweeping: {
    WANTED: 'sweeping',
    NUDGE: 'sweeping',
    PAUSE: 'sweeping',
    HEARTBEAT: 'sweeping',
    DONE: 'resting',
    FAILED: 'backingOff',
    RELEASE: 'due',
    LOST: 'due',
  },
  unsettled: { WANTED: 'unsettled', UNWANTED: 'dormant', NUDGE: 'due', PAUSE: 'backingOff', CLAIM: 'rereading' },
  rereading: {
    WANTED: 'rereading',
    NUDGE: 'rereading',
    PAUSE: 'rereading',
    HEARTBEAT: 'rereading',
    DONE: 'resting',
    FAILED: 'backingOff',
    RELEASE: 'due',
    LOST: 'due',
  },
  resting: { WANTED: 'resting', UNWANTED: 'dormant', NUDGE: 'due', PAUSE: 'backingOff', CLAIM: 'sweeping' },
  backingOff: { WANTED: 'backingOff', UNWANTED: 'dormant', NUDGE: 'due', PAUSE: 'backingOff', CLAIM: 'sweeping' },
  dormant: { WANTED: 'due', NUDGE: 'due', PAUSE: 'dormant' },
};

function repositoryAfter(moves: readonly SweepEvent[]): StoredSnapshot {
  const { snapshot } = begin(sweepDefinition, { now: 0, pace: 'live' });
  return moves.reduce((at, event) => {
    const decision = decide(sweepDefinition, at, event);
    if (decision === undefined) throw new Error(`${event.type} makes no sense in ${sweepPhase(at)}`);
    return decision.snapshot;
  }, snapshot);
}
const contextOf = ({ context }: StoredSnapshot) => context as SweepContext;

describe('the machine of a repository’s sweeps', () => {
  for (const [state, moves] of Object.entries(ways)) {
    for (const event of events) {
      const expected = table[state]?.[event.type];
      it(`${state}: ${event.type} ${expected === undefined ? 'is refused' : `leads to ${expected}`}`, () => {
        const decision = decide(sweepDefinition, repositoryAfter(moves), event);
        expect(decision && sweepPhase(decision.snapshot)).to.equal(expected);
      });
    }
  }

  it('ignores events with another lease', () => {
    for (const state of ['sweeping', 'rereading']) {
      for (const event of events.filter((one) => 'lease' in one && one.type !== 'CLAIM')) {
        expect(
          decide(sweepDefinition, repositoryAfter(ways[state] ?? []), { ...event, lease: 'two' } as SweepEvent),
          event.type,
        ).to.equal(undefined);
      }
    }
  });

  it('cannot be leased before it is due, nor before another lease has ended', () => {
    for (const state of ['resting', 'unsettled', 'backingOff']) {
      const at = repositoryAfter(ways[state] ?? []);
      const until = contextOf(at).until ?? 0;
      expect(decide(sweepDefinition, at, { ...claim, now: until - 1 }), state).to.equal(undefined);
      expect(decide(sweepDefinition, at, { ...claim, now: until }), state).not.to.equal(undefined);
    }
    expect(decide(sweepDefinition, repositoryAfter([claim]), { type: 'LOST', now: 89_999 })).to.equal(undefined);
    expect(decide(sweepDefinition, repositoryAfter([claim]), { type: 'LOST', now: 90_000 })).not.to.equal(undefined);
  });

  it('starts again at once after a request during a sweep', () => {
    const asked = repositoryAfter([claim, { type: 'NUDGE', now: 500 }, done]);
    expect(sweepPhase(asked)).to.equal('due');
    expect(contextOf(asked)).to.include({ until: 1_000, again: false, read: true });
  });

  it('reads again after 3, 6, 12, 12 and 12 s, five times at most, and then continues its schedule', () => {
    let at = repositoryAfter([{ type: 'WANTED', now: 0, pace: 'idle', spread: 0.5 }, claim, unsettled]);
    const next = contextOf(at).nextAt;
    const waits: number[] = [];
    for (let now = 1_000; sweepPhase(at) === 'unsettled'; ) {
      waits.push((contextOf(at).until ?? 0) - now);
      now = contextOf(at).until ?? 0;
      for (const event of [
        { ...claim, now },
        { ...unsettled, now },
      ])
        at = decide(sweepDefinition, at, event)?.snapshot ?? at;
    }
    expect(waits).to.deep.equal([3_000, 6_000, 12_000, 12_000, 12_000]);
    expect(sweepPhase(at)).to.equal('resting');
    expect(contextOf(at)).to.include({ until: next, rereads: 0 });
  });

  it('reports once that it was read, that it fails and why, and that it recovered', () => {
    const kinds = (moves: readonly SweepEvent[]) => {
      let snapshot = repositoryAfter([]);
      return moves.flatMap((event) => {
        const decision = decide(sweepDefinition, snapshot, event);
        snapshot = decision?.snapshot ?? snapshot;
        return decision?.facts.map(({ kind }) => kind) ?? [];
      });
    };
    const again = { ...claim, now: late } as const;
    expect(kinds([claim, done, again, { ...done, now: late }])).to.deep.equal(['repository.read']);
    expect(
      kinds([claim, failed, again, failed, { ...again, now: late * 2 }, { ...failed, reason: 'other' }]),
    ).to.deep.equal(['repository.failed', 'repository.failed']);
    expect(kinds([claim, failed, again, done])).to.deep.equal([
      'repository.failed',
      'repository.read',
      'repository.recovered',
    ]);
  });

  it('varies its pace by a fifth, and waits longer under a tight quota', () => {
    expect([0, 0.5, 1].map((spread) => sweepInterval('watched', spread, 1))).to.deep.equal([24_000, 30_000, 36_000]);
    expect([0, 0.5, 1].map((spread) => sweepInterval('live', spread, 2))).to.deep.equal([96_000, 120_000, 144_000]);
    expect(sweepInterval('idle', 0.5, 0.1)).to.equal(600_000);
  });

  it('never sends a request before the forge’s time, and never waits more than half an hour on its own', () => {
    const spread = fc.double({ min: 0, max: 1, noNaN: true });
    const step = fc.oneof(
      fc.record({ type: fc.constant('WANTED' as const), pace: fc.constantFrom('watched', 'live', 'idle'), spread }),
      fc.record({ type: fc.constant('UNWANTED' as const) }),
      fc.record({ type: fc.constant('NUDGE' as const) }),
      fc.record({ type: fc.constant('PAUSE' as const), ahead: fc.integer({ min: 0, max: 7_200_000 }) }),
      fc.record({ type: fc.constant('CLAIM' as const) }),
      fc.record({ type: fc.constant('DONE' as const), spread, unsettled: fc.boolean() }),
      fc.record({
        type: fc.constant('FAILED' as const),
        spread,
        ahead: fc.option(fc.integer({ min: 0, max: 7_200_000 })),
      }),
      fc.record({ type: fc.constant('LOST' as const) }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ step, pass: fc.integer({ min: 0, max: 400_000 }) }), { maxLength: 60 }),
        (steps) => {
          let at = repositoryAfter([]);
          let now = 0;
          let notBefore = 0;
          for (const { step: one, pass } of steps) {
            now += pass;
            const event = {
              ...one,
              now,
              lease,
              reason: 'why',
              stretch: 1,
              ...(one.type === 'PAUSE' && { until: now + one.ahead }),
              ...(one.type === 'CLAIM' && { until: now + 90_000 }),
              ...(one.type === 'FAILED' && { retryAt: one.ahead === null ? null : now + one.ahead }),
            } as unknown as SweepEvent;
            const before = sweepPhase(at);
            const decision = decide(sweepDefinition, at, event);
            if (decision === undefined) continue;
            at = decision.snapshot;
            if (event.type === 'PAUSE') notBefore = Math.max(notBefore, event.until);
            if (event.type === 'FAILED') notBefore = Math.max(notBefore, event.retryAt ?? 0);
            if (event.type === 'CLAIM') expect(now, `claimed in ${before}`).to.be.at.least(notBefore);
            const { until } = contextOf(at);
            expect(until === null).to.equal(sweepPhase(at) === 'dormant');
            const wait = (until ?? now) - Math.max(now, notBefore);
            expect(wait).to.be.at.most(30 * 60_000 * 1.2);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
