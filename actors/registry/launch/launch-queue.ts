import { change, send } from '#actors/registry/agent/change.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { isDatabaseReason } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import { isWaiting } from './follow-queue.ts';
import { type QueuedTurn, readLaunchOrder } from './launch-order.ts';
import type { LaunchScope } from './launch-scope.ts';
import { placeQueued } from './place-queued.ts';
import { UnfitHosts } from './unfit-hosts.ts';

/** How often the queue is checked without a cause, in milliseconds. */
const every = 500;
/** How long causes are gathered before the queue is checked, in milliseconds. */
const together = 100;
/** How many reasons are written in one transaction. */
const atOnce = 50;

/** The kinds of facts after which a launch may have room, or a new reason. */
const causes = /^(?:agent\.(?:created|phase-moved|archived|gone)|host\.)/;

/** Temporary refusals of hosts. */
const passing = ['HOST_DRAINED', 'HARNESS_UNAVAILABLE'] as const;

/**
 * Places launches that wait for a host, in their order, as soon as one has room, and keeps their reasons. Each
 * registry does so: the write that places a launch decides whether there is room.
 */
export function startLaunchQueue(scope: LaunchScope): Service {
  const unfit = new UnfitHosts(scope.clock);
  const poller = new Poller({ name: 'launch queue', every, pass: () => pass(scope, unfit) }, scope).start();
  let waking: NodeJS.Timeout | undefined;
  const wake = (): void => {
    waking = undefined;
    poller.wake();
  };
  const stopListening = scope.store.onFacts((facts) => {
    if (facts.some(({ kind }) => causes.test(kind))) waking ??= setTimeout(wake, together);
  });
  return {
    async stop() {
      stopListening();
      clearTimeout(waking);
      await poller.stop();
    },
  };
}

async function pass(scope: LaunchScope, unfit: UnfitHosts): Promise<void> {
  const queued = await turnsOf(scope, unfit);
  const ready = queued.filter(({ turn }) => turn.free.length > 0);
  await Promise.all(ready.map((one) => place(scope, unfit, one)));
  await noteReasons(scope, ready.length === 0 ? queued : await turnsOf(scope, unfit));
}

async function turnsOf(scope: LaunchScope, unfit: UnfitHosts): Promise<readonly QueuedTurn[]> {
  return scope.store.read(async (tables) => {
    // The order counts the agents of all hosts, which takes long in a large fleet.
    if ((await tables.queuedLaunches.waiting()).length === 0) return [];
    return (await readLaunchOrder(tables, scope, { unfit: unfit.current() })).queued;
  });
}

/** Places a launch whose turn it is. If it cannot be, another host is tried, it waits, or it fails. */
async function place(scope: LaunchScope, unfit: UnfitHosts, { launch, turn }: QueuedTurn): Promise<void> {
  const { agent } = launch;
  try {
    await placeQueued(scope, launch, { free: turn.free, unfit: unfit.current() });
  } catch (error) {
    if (!(error instanceof Failure) || isDatabaseReason(error.reason)) throw error;
    if (isPassing(error)) unfit.note(agent, turn.free, error.message);
    else await fail(scope, agent, error.message);
  }
}

/** Whether a failure is temporary: the hosts do not answer, or cannot take the launch now. */
function isPassing(error: Failure): boolean {
  return ['unavailable', 'deadline_exceeded', 'aborted'].includes(error.code) || error.isFor(...passing);
}

/** Fails a launch that no host can ever take, such as one whose directory does not exist. */
function fail(scope: LaunchScope, agentId: string, reason: string): Promise<void> {
  return change(scope, async (writing) => {
    const agent = await writing.tables.agents.find(agentId);
    if (agent !== undefined && isWaiting(agent))
      await send(writing, agent, { type: 'STEP_FAILED', step: 'placing', reason });
  });
}

/** Saves the wait reasons that have changed. */
async function noteReasons(scope: LaunchScope, queued: readonly QueuedTurn[]): Promise<void> {
  const waiting = new Map(queued.flatMap(({ launch, turn }) => (turn.reason ? [[launch.agent, turn.reason]] : [])));
  if (waiting.size === 0) return;
  const known = await scope.store.read(({ agents }) => agents.findAll([...waiting.keys()]));
  const changed = known.filter((agent) => isWaiting(agent) && agent.stateReason !== waiting.get(agent.id));
  if (changed.length === 0) return;
  await change(scope, async (writing) => {
    for (const { id } of changed.slice(0, atOnce)) {
      const agent = await writing.tables.agents.find(id);
      if (agent !== undefined && isWaiting(agent))
        await send(writing, agent, { type: 'QUEUED', reason: waiting.get(id) ?? '' });
    }
  });
}
