import { change, sendRequired } from '#actors/registry/agent/change.ts';
import { refuseHeld } from '#actors/registry/agent/find-agent.ts';
import { limitsOf } from '#actors/registry/host/settings/host-limits.ts';
import type { LaunchScope } from '#actors/registry/launch/launch-scope.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { isDatabaseReason } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import { restoreAgent } from '#contract/operations/agent.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { checkParent } from './check-parent.ts';

/** How often the queue is checked, in milliseconds. */
const every = 500;
/** How long a CLI may take to show its screen before it no longer counts as starting, in milliseconds. */
const startMs = 30_000;
/** How many CLIs start at once for each processor of a host: each keeps one busy for seconds. */
const perProcessor = 2;

/**
 * Restores the agents that wait for it, in their order, a few of each host at a time. Each registry does so: the write
 * that restores an agent removes it from the queue.
 */
export function startRestoreQueue(scope: LaunchScope): Service {
  return new Poller({ name: 'restore queue', every, pass: () => pass(scope) }, scope).start();
}

async function pass(scope: LaunchScope): Promise<void> {
  const { pending, hosts, starting } = await scope.store.read(async ({ pendingRestores, hosts }) => {
    const pending = await pendingRestores.inOrder();
    if (pending.length === 0) return { pending, hosts: [], starting: new Map<string, number>() };
    const starting = new Map(await pendingRestores.countStarting(scope.clock.now() - startMs));
    return { pending, hosts: await hosts.all(), starting };
  });
  const most = new Map(hosts.map((host) => [host.id, mostAtOnce(scope, host)]));
  for (const { agent: id } of pending) {
    const host = await restore(scope, id, (on) => (starting.get(on) ?? 0) < (most.get(on) ?? 1));
    if (host !== undefined) starting.set(host, (starting.get(host) ?? 0) + 1);
  }
}

/** How many CLIs may start on a host at once. */
function mostAtOnce({ hostDefaults, beatBuffer }: LaunchScope, host: StoredHost): number {
  const { cpuCount } = beatBuffer.freshen(host).condition?.load ?? {};
  const { maxLaunches } = limitsOf(host, hostDefaults);
  return cpuCount === undefined ? maxLaunches : Math.min(maxLaunches, perProcessor * cpuCount);
}

/**
 * Restores one agent if its host has room. One that has its window again, is archived or can no longer be restored
 * leaves the queue. Resolves to its host if it was restored.
 */
async function restore(
  scope: LaunchScope,
  id: string,
  hasRoom: (host: string) => boolean,
): Promise<string | undefined> {
  try {
    return await change(scope, async (writing) => {
      const { agents, pendingRestores } = writing.tables;
      const agent = await agents.find(id);
      if (agent?.windowLost === true && !hasRoom(agent.host)) return undefined;
      if (!(await pendingRestores.remove(id)) || agent?.windowLost !== true) return undefined;
      await refuseUnfit(writing, agent);
      await sendRequired(writing, agent, { type: 'RESTORE' }, restoreAgent.method);
      return agent.host;
    });
  } catch (error) {
    if (!(error instanceof Failure) || isDatabaseReason(error.reason)) throw error;
    scope.log.warn({ agentId: id, err: error }, 'an agent could not be restored in its turn');
    await change(scope, ({ tables }) => tables.pendingRestores.remove(id));
    return undefined;
  }
}

async function refuseUnfit(writing: Parameters<typeof checkParent>[0], agent: StoredAgent): Promise<void> {
  refuseHeld(agent, restoreAgent.method);
  await checkParent(writing, agent);
}
