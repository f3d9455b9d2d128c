import { loseHostOf, send } from '#actors/registry/agent/change.ts';
import type { RegistryScope } from '#actors/registry/kernel/registry-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { hostSilenceMs } from '#machines/host.ts';
import type { StoredAgent } from '#store/agent-entity.ts';
import type { StoredDeadline } from '#store/deadline-entity.ts';
import type { StoredHost } from '#store/host-entity.ts';

/** A host that beats is heard at least so often, in milliseconds. */
const heardWithin = 12_000;

/** Tells the agents of a host whose steps have a limit that it cannot be reached: they wait for it. */
export async function pauseSteps(writing: Change, host: StoredHost): Promise<void> {
  for (const agent of await writing.tables.agents.limitedOn(host.id)) await loseHostOf(writing, agent, host);
}

/** Tells the agents that wait for a host that it is back. */
export async function resumeSteps(writing: Change, hostId: string): Promise<void> {
  for (const agent of await writing.tables.agents.missing(hostId)) await send(writing, agent, { type: 'HOST_BACK' });
}

/**
 * Puts a deadline off that ran out while the agent's host was silent, by as long as it has been; gives whether it did. A host that
 * stays silent is lost soon, and the step waits for it then.
 */
export async function putOff(
  { pulses }: Pick<RegistryScope, 'pulses'>,
  writing: Change,
  agent: StoredAgent,
  { name }: StoredDeadline,
): Promise<boolean> {
  const { tables, now } = writing;
  const host = await tables.hosts.find(agent.host);
  const silentMs = host === undefined ? 0 : now - pulses.freshen(host).seenAt;
  if (silentMs <= heardWithin) return false;
  await tables.deadlines.set({ owner: 'agent', ownerId: agent.id }, { [name]: Math.min(silentMs, hostSilenceMs) });
  return true;
}
