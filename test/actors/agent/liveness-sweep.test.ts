import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { Roster } from '#actors/host/agent/roster.ts';
import { LivenessSweep } from '#actors/host/watch/liveness-sweep.ts';
import type { PaneWatch } from '#actors/host/watch/pane-watch.ts';
import { type TestTimer, testTimer } from '#test/support/test-timer.ts';
import { silent } from '../actor-fixture.ts';
import { TerminalsStandIn } from '../terminal-stand-in.ts';

describe('the liveness sweep', () => {
  const families = Array.from({ length: 40 }, (_, place) => `agt_${place}`);
  let clock: TestTimer;
  let stop: AbortController;
  let calm: Set<string>;
  let doubted: string[];
  /** Families whose terminals are asked at the moment, and how each of them answers. */
  let asked: Map<string, () => void>;
  let sweeps: string[];
  let livenessSweep: LivenessSweep;

  beforeEach(() => {
    clock = testTimer();
    stop = new AbortController();
    calm = new Set();
    doubted = [];
    sweeps = [];
    asked = new Map();
    const actors = new Roster();
    const terminals = new TerminalsStandIn();
    for (const id of families) {
      const record = { id, family: id };
      actors.add({ record, context: { paneId: '%1' }, send: () => doubted.push(id) } as unknown as AgentActor);
    }
    const sweepOf = (family: string) => async () => {
      sweeps.push(family);
      await new Promise<void>((resolve) => asked.set(family, resolve));
      asked.delete(family);
    };
    const watchOf = (family: string): PaneWatch => {
      const watch: Partial<PaneWatch> = { sweep: sweepOf(family), isCalm: () => calm.has(family) };
      return watch as PaneWatch;
    };
    livenessSweep = new LivenessSweep({
      actors,
      knownWatch: watchOf,
      watchOf: async (family) => watchOf(family),
      terminals,
      clock,
      log: silent,
      signal: stop.signal,
    });
  });
  afterEach(() => stop.abort());

  async function answer(...these: readonly string[]): Promise<void> {
    for (const family of these) asked.get(family)?.();
    await soon();
  }

  it('asks few terminals at a time, and does not suspect those that wait for their turn', async () => {
    livenessSweep.all();
    for (let round = 0; round < 5; round += 1) {
      await clock.pass(1_900);
      expect([...asked.keys()]).to.deep.equal(families.slice(8 * round, 8 * round + 8));
      await answer(...asked.keys());
    }
    expect(doubted).to.deep.equal([]);
  });

  it('doubts terminals that do not answer in time, and asks the next ones meanwhile', async () => {
    livenessSweep.all();
    await clock.pass(2_010);
    expect(doubted).to.deep.equal(families.slice(0, 8));
    await soon();
    expect(asked.size).to.equal(16);
    await answer(...families.slice(0, 8));
    expect(asked.size).to.equal(8);
  });

  it('repeats once for requests during a sweep', async () => {
    livenessSweep.of('agt_3');
    await soon();
    for (let time = 0; time < 3; time += 1) livenessSweep.of('agt_3');
    await answer('agt_3');
    await answer('agt_3');
    await answer('agt_3');
    expect(sweeps).to.deep.equal(['agt_3', 'agt_3']);
  });

  it('skips terminals without a sign of change', async () => {
    for (const family of families) if (family !== 'agt_39') calm.add(family);
    livenessSweep.all();
    for (let turn = 0; turn < 20; turn += 1) await soon();
    expect([...asked.keys()]).to.deep.equal(['agt_39']);
  });
});
