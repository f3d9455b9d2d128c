import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { send } from '#actors/registry/agent/change.ts';
import type { Change, Committed } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import { hostSilenceMs } from '#machines/host/host.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredDeadline } from '#store/deadline/deadline-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { HostScope } from './host-scope.ts';
import { isOnline } from './online.ts';

/** A host that beats is heard at least so often, in milliseconds. */
const heardWithin = 12_000;

/**
 * A step that begins while its host cannot be reached waits for it from the first moment on; returns whether one does.
 */
export async function waitForHost(writing: Change, commit: AgentCommit, { before }: Committed): Promise<boolean> {
  const { hosts, agents } = writing.tables;
  if (Object.values(commit.deadlines).every((afterMs) => afterMs === null)) return false;
  const [host, agent] = [await hosts.find(before.host), await agents.find(commit.agentId)];
  if (host === undefined || agent === undefined || isOnline(host)) return false;
  await loseHost(writing, agent, host);
  return true;
}

/** Sends an agent the loss of its host, with what was left of its limits at the last contact. */
async function loseHost(writing: Change, agent: StoredAgent, host: StoredHost): Promise<void> {
  const { deadlines } = writing.tables;
  const due = await deadlines.of({ owner: 'agent', ownerId: agent.id });
  const left = due.map(({ name, dueAt }) => [name, Math.max(1, dueAt - host.seenAt)]);
  const away = { host: host.name, since: timeOf(host.seenAt), left: Object.fromEntries(left) };
  await send(writing, agent, { type: 'HOST_LOST', ...away });
}

/** Sends the loss of a host to its agents whose steps have a limit: they wait for it. */
export async function pauseSteps(writing: Change, host: StoredHost): Promise<void> {
  for (const agent of await writing.tables.agents.limitedOn(host.id)) await loseHost(writing, agent, host);
}

/** Sends the return of a host to the agents that wait for it. */
export async function resumeSteps(writing: Change, hostId: string): Promise<void> {
  for (const agent of await writing.tables.agents.missing(hostId)) await send(writing, agent, { type: 'HOST_BACK' });
}

/**
 * Puts a deadline off that ran out while the agent's host was silent, by as long as it has been; returns whether it
 * did. A host that stays silent is lost soon, and the step waits for it then.
 */
export async function putOff(
  { pulses }: Pick<HostScope, 'pulses'>,
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
