import { setTimeout as delay } from 'node:timers/promises';
import { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { HostMeasures } from '#actors/host/agent/measures.ts';
import type { Moment } from '#actors/host/agent/moment.ts';
import type { Performer, Performers } from '#actors/host/agent/performer.ts';
import type { Journal } from '#actors/loop.ts';
import { RestartIntensity } from '#actors/restart-intensity.ts';
import type { Log } from '#contract/process-context.ts';
import type { AgentEvent, AgentScript } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { newAgent, saveHost, storeFixture } from '#test/store/store-fixture.ts';
import type { Timer } from '#world/concurrency/timer.ts';

/** A log that keeps nothing. */
export const silent: Log = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
  child: () => silent,
};

/** A performer that counts its calls. */
export interface CountingPerformer extends Performer {
  calls: number;
}

/** A performer that returns the result of `perform`, and counts its calls. */
export function countingPerformer(
  step: Performer['step'],
  perform: (signal: AbortSignal) => Promise<AgentEvent | undefined>,
): CountingPerformer {
  const performer: CountingPerformer = {
    step,
    calls: 0,
    perform({ signal }) {
      performer.calls += 1;
      return perform(signal);
    },
  };
  return performer;
}

/** An actor on a real store, with the test's performers. */
export async function actorFixture(performers: Performers, scripts: readonly AgentScript[] = []) {
  const stored = await storeFixture();
  const { store } = stored;
  await saveHost(store);
  const decision = begin(agentDefinition, { name: 'a', provision: true, scripts });
  await store.write(({ journal }) => journal.insert(newAgent('agt_a', { decision })));
  const journal: Journal = {
    load: (id) => store.read((tables) => tables.journal.load(id)),
    commit: (change) => store.commitAgent(change),
  };
  // The actor waits only between attempts, so a short pause makes it continue immediately.
  const timer: Timer = { now: stored.clock.now, sleep: (_, signal) => delay(1, undefined, signal ? { signal } : {}) };
  const moments: Moment[] = [];
  const start = async (through: Journal = journal) =>
    new AgentActor({
      record: await journal.load('agt_a'),
      journal: through,
      performers,
      intensity: new RestartIntensity(stored.clock, 3, 300_000),
      clock: timer,
      log: silent,
      observe: (moment) => moments.push(moment),
      measures: new HostMeasures(),
      onRecord: () => {},
      paneTail: async () => 'last words',
    });
  return { ...stored, journal, moments, start };
}
