import { expect } from 'chai';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { begin, decide } from '#machines/decide.ts';
import { firingDefinition } from '#machines/schedule/firing.ts';
import type { FiringContext, FiringEvent } from '#machines/schedule/firing-context.ts';
import { firingPhase } from '#machines/schedule/firing-fact.ts';
import { checkLeases, type Job, machineRules, peers } from './lease-check.ts';

const hold = { attempt: 1, lease: 'one' } as const;
const claim = { type: 'CLAIM', lease: 'one', until: 30 } as const;
const wait = { reason: 'why', until: 50 } as const;

/** Each state with the events that lead to it. */
const ways: Readonly<Record<string, readonly FiringEvent[]>> = {
  available: [],
  running: [claim],
  cancelling: [claim, { type: 'CANCEL', reason: 'why' }],
  completed: [claim, { type: 'COMPLETE', agentId: 'agt_1', ...hold }],
  cancelled: [{ type: 'CANCEL', reason: 'why' }],
  discarded: [claim, { type: 'DISCARD', reason: 'why', ...hold }],
  retryable: [claim, { type: 'FAIL', ...wait, ...hold }],
  scheduled: [claim, { type: 'SNOOZE', ...wait, ...hold }],
  pending: [claim, { type: 'SNOOZE', ...wait, ...hold }, { type: 'WAIT', reason: 'why' }],
};

const events: readonly FiringEvent[] = [
  { type: 'READY', until: null },
  { type: 'DUE', now: 100, until: 150, reason: 'lost' },
  { type: 'CLOCK_SET', by: 3_600_000 },
  { type: 'RETRY' },
  { type: 'WAIT', reason: 'why' },
  { type: 'SKIP', reason: 'why' },
  { type: 'CANCEL', reason: 'why' },
  { type: 'EXPIRE', reason: 'why' },
  { type: 'CLAIM', lease: 'two', until: 130 },
  { type: 'HEARTBEAT', until: 60, ...hold },
  { type: 'COMPLETE', agentId: 'agt_1', ...hold },
  { type: 'FAIL', ...wait, ...hold },
  { type: 'SNOOZE', ...wait, ...hold },
  { type: 'PARK', reason: 'another', ...hold },
  { type: 'DISCARD', reason: 'why', ...hold },
  { type: 'GIVE_UP', reason: 'why', ...hold },
  { type: 'RELEASE', ...hold },
];

/** The result of each event in each state; all others are refused. */
const table: Readonly<Record<string, Readonly<Partial<Record<FiringEvent['type'], string>>>>> = {
  available: { CLAIM: 'running', CANCEL: 'cancelled', EXPIRE: 'discarded' },
  pending: { READY: 'available', RETRY: 'available', CANCEL: 'cancelled', EXPIRE: 'discarded' },
  scheduled: {
    DUE: 'available',
    CLOCK_SET: 'scheduled',
    RETRY: 'available',
    WAIT: 'pending',
    SKIP: 'cancelled',
    CANCEL: 'cancelled',
    EXPIRE: 'discarded',
  },
  running: {
    HEARTBEAT: 'running',
    COMPLETE: 'completed',
    FAIL: 'retryable',
    SNOOZE: 'scheduled',
    PARK: 'pending',
    DISCARD: 'discarded',
    GIVE_UP: 'cancelled',
    RELEASE: 'available',
    DUE: 'retryable',
    CLOCK_SET: 'running',
    CANCEL: 'cancelling',
  },
  cancelling: {
    HEARTBEAT: 'cancelling',
    CANCEL: 'cancelling',
    COMPLETE: 'cancelled',
    FAIL: 'cancelled',
    SNOOZE: 'cancelled',
    PARK: 'cancelled',
    DISCARD: 'cancelled',
    GIVE_UP: 'cancelled',
    RELEASE: 'cancelled',
    DUE: 'cancelled',
    CLOCK_SET: 'cancelling',
  },
  retryable: {
    DUE: 'available',
    CLOCK_SET: 'retryable',
    RETRY: 'available',
    CANCEL: 'cancelled',
    EXPIRE: 'discarded',
  },
  completed: { RETRY: 'available' },
  cancelled: { RETRY: 'available' },
  discarded: { RETRY: 'available' },
};

function firingAfter(moves: readonly FiringEvent[], maxAttempts = 3): StoredSnapshot {
  const { snapshot } = begin(firingDefinition, { state: 'available', maxAttempts, until: null, message: '' });
  return moves.reduce((at, event) => {
    const decision = decide(firingDefinition, at, event);
    if (decision === undefined) throw new Error(`${event.type} makes no sense in ${firingPhase(at)}`);
    return decision.snapshot;
  }, snapshot);
}
const contextOf = ({ context }: StoredSnapshot) => context as FiringContext;

describe('the machine of a firing', () => {
  for (const [state, moves] of Object.entries(ways)) {
    for (const event of events) {
      const expected = table[state]?.[event.type];
      it(`${state}: ${event.type} ${expected === undefined ? 'is refused' : `leads to ${expected}`}`, () => {
        const decision = decide(firingDefinition, firingAfter(moves), event);
        expect(decision && firingPhase(decision.snapshot)).to.equal(expected);
      });
    }
  }

  it('keeps its remaining time if the clock is set, unless it waits for a time of day', () => {
    for (const state of ['running', 'cancelling', 'retryable', 'scheduled']) {
      const at = firingAfter(ways[state] ?? []);
      const set = decide(firingDefinition, at, { type: 'CLOCK_SET', by: -1_000 });
      expect(set && contextOf(set.snapshot).until, state).to.equal((contextOf(at).until ?? 0) - 1_000);
    }
    const spread = begin(firingDefinition, { state: 'scheduled', maxAttempts: 3, until: 50, message: '' }).snapshot;
    expect(decide(firingDefinition, spread, { type: 'CLOCK_SET', by: -1_000 })).to.equal(undefined);
  });

  it('ignores results with another attempt or another lease', () => {
    for (const event of events.filter((one) => 'lease' in one && 'attempt' in one)) {
      for (const stale of [{ attempt: 2 }, { lease: 'two' }]) {
        expect(
          decide(firingDefinition, firingAfter(ways['running'] ?? []), { ...event, ...stale }),
          event.type,
        ).to.equal(undefined);
      }
    }
  });

  it('extends the lease with each heartbeat, and only for its holder', () => {
    const alive: FiringEvent = { type: 'HEARTBEAT', until: 60, ...hold };
    const lost = (now: number): FiringEvent => ({ type: 'DUE', now, until: 150, reason: 'lost' });
    expect(decide(firingDefinition, firingAfter([claim, alive]), lost(59))).to.equal(undefined);
    expect(contextOf(firingAfter([claim, alive, lost(60)]))).to.include({ lease: null, until: 150, message: 'lost' });
    expect(decide(firingDefinition, firingAfter([claim]), lost(30))).to.not.equal(undefined);
  });

  it('is discarded after its last attempt, and does not count postponed and released ones', () => {
    const last = firingAfter([claim], 1);
    for (const event of [
      { type: 'FAIL', ...wait, ...hold },
      { type: 'DUE', now: 100, until: 150, reason: 'lost' },
    ] as const) {
      const decision = decide(firingDefinition, last, event);
      expect(decision && firingPhase(decision.snapshot)).to.equal('discarded');
    }
    expect(contextOf(firingAfter(ways['scheduled'] ?? [])).attempt).to.equal(0);
    expect(contextOf(firingAfter([claim, { type: 'RELEASE', ...hold }])).attempt).to.equal(0);
    const retried = firingAfter([...(ways['discarded'] ?? []), { type: 'RETRY' }], 1);
    expect(contextOf(retried)).to.include({ maxAttempts: 2, attempt: 1, lease: null, message: '' });
  });

  it('waits any number of times without counting attempts, with the reason', () => {
    let firing = firingAfter([]);
    for (let times = 0; times < 200; times += 1) {
      for (const event of [
        claim,
        { type: 'PARK', reason: 'no host', ...hold },
        { type: 'READY', until: null },
      ] as const) {
        firing = decide(firingDefinition, firing, event)?.snapshot ?? firing;
      }
    }
    expect(firingPhase(firing)).to.equal('available');
    expect(contextOf(firing).attempt).to.equal(0);
    const parked = firingAfter([claim, { type: 'PARK', reason: 'no host', ...hold }]);
    expect(contextOf(parked)).to.include({ message: 'no host', lease: null });
    const told = decide(firingDefinition, parked, { type: 'WAIT', reason: 'another one' });
    expect(told && contextOf(told.snapshot).message).to.equal('another one');
    expect(decide(firingDefinition, parked, { type: 'WAIT', reason: 'no host' })).to.equal(undefined);
  });

  it('is postponed at most a hundred times', () => {
    let firing = firingAfter([]);
    for (let times = 0; times <= 100; times += 1) {
      firing = [claim, { type: 'SNOOZE', ...wait, ...hold } as const]
        .concat(times < 100 ? [{ type: 'DUE', now: 100, until: 150, reason: '' } as never] : [])
        .reduce((at, event) => decide(firingDefinition, at, event as FiringEvent)?.snapshot ?? at, firing);
    }
    expect(firingPhase(firing)).to.equal('retryable');
  });

  it('keeps its invariants in any order of two workers, a rescuer and a cancellation', () => {
    const own = checkLeases(machineRules());
    expect(own.states).to.be.greaterThan(30);
    expect(own.broken).to.deep.equal([]);
    for (const [name, rules] of Object.entries(peers)) {
      const found = checkLeases(rules);
      expect(found.broken.length, name).to.be.greaterThan(0);
    }
  });

  it('fails the same check if one of its fences is removed', () => {
    const fenced = machineRules();
    const apply = (job: Job, event: Parameters<typeof fenced.apply>[1]) =>
      fenced.apply(job, 'lease' in event && 'attempt' in event ? { ...event, ...job.holder } : event);
    expect(checkLeases({ ...fenced, apply }).broken.length).to.be.greaterThan(0);
  });
});
