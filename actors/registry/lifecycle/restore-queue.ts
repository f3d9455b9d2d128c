import { change, sendRequired } from '#actors/registry/agent/change.ts';
import { limitsOf } from '#actors/registry/host/settings/host-limits.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
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
  const { pending, hosts } = await scope.store.read(async ({ agents, hosts, pendingRestores }) => {
    const waiting = await pendingRestores.inOrder();
    if (waiting.length === 0) return { pending: [], hosts: [] };
    const known = new Map((await agents.findAll(waiting.map(({ agent }) => agent))).map((agent) => [agent.id, agent]));
    return {
      pending: waiting.map(({ agent }) => ({ id: agent, host: known.get(agent)?.host })),
      hosts: await hosts.all(),
    };
  });
  const limits = new Map(hosts.map((host) => [host.id, maxAtOnce(scope, host)]));
  const full = new Set<string | undefined>();
  for (const { id, host } of pending) {
    if (!full.has(host) && (await restore(scope, id, limits)) === 'full') full.add(host);
  }
}

/** How many CLIs may start on a host at once. */
function maxAtOnce({ hostDefaults, beatBuffer }: LaunchScope, host: StoredHost): number {
  const { cpuCount } = beatBuffer.freshen(host).condition?.load ?? {};
  const { maxLaunches } = limitsOf(host, hostDefaults);
  return cpuCount === undefined ? maxLaunches : Math.min(maxLaunches, perProcessor * cpuCount);
}

/**
 * Restores one agent, unless as many as its host may start are starting there: then resolves to `full`. One that has
 * its window again, is archived or can no longer be restored leaves the queue.
 */
async function restore(scope: LaunchScope, id: string, limits: ReadonlyMap<string, number>): Promise<'full' | 'done'> {
  try {
    return await change(scope, async (writing) => {
      const { agents, pendingRestores } = writing.tables;
      const agent = await agents.find(id);
      if (agent !== undefined && (await isForLater(agent, writing))) return 'done';
      const host = agent?.windowLost === true ? agent.host : undefined;
      // Counted in the same transaction: another registry may be restoring agents of this host.
      const starting = host === undefined ? undefined : await pendingRestores.countStarting(writing.now - startMs);
      if (host !== undefined && (starting?.get(host) ?? 0) >= (limits.get(host) ?? 1)) return 'full';
      if (!(await pendingRestores.remove(id)) || agent === undefined || host === undefined) return 'done';
      await checkParent(writing, agent);
      await sendRequired(writing, agent, { type: 'RESTORE' }, restoreAgent.method);
      return 'done';
    });
  } catch (error) {
    if (!(error instanceof Failure) || isDatabaseReason(error.reason)) throw error;
    scope.log.warn({ agentId: id, err: error }, 'an agent could not be restored in its turn');
    await change(scope, async ({ tables }) => {
      if (!(await tables.pendingRestores.remove(id))) return;
      const reason = `it could not be restored in its turn: ${error.message}`;
      await tables.facts.append([{ kind: 'agent.restore-refused', subjectId: id, detail: { reason } }]);
    });
    return 'done';
  }
}

/** Whether an agent cannot be restored now, and may be later: a person holds it, or it moves, or its parent does. */
async function isForLater(agent: StoredAgent, { tables }: Change): Promise<boolean> {
  if (agent.heldAt != null || agent.movingTo != null) return true;
  const parent = agent.parentAgentId == null ? undefined : await tables.agents.find(agent.parentAgentId);
  return parent?.movingTo != null;
}
