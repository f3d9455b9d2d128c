import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { send } from '#actors/registry/agent/change.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredDeadline } from '#store/deadline/deadline-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { HostScope } from './host-scope.ts';
import { isOnline } from './online.ts';

/** By how much a beat of a healthy host may be late, in milliseconds. */
const lateBy = 2_000;

/** Pauses the steps of an agent that begin while its host is lost. Returns whether it paused any. */
export async function pauseIfHostLost(writing: Change, commit: AgentCommit): Promise<boolean> {
  const { hosts, agents } = writing.tables;
  if (Object.values(commit.deadlines).every((afterMs) => afterMs === null)) return false;
  const agent = await agents.find(commit.agentId);
  const host = agent && (await hosts.find(agent.host));
  if (host === undefined || agent === undefined || isOnline(host)) return false;
  await sendHostLost(writing, agent, host);
  return true;
}

/** Sends the agent HOST_LOST, with the time left on each limit when the host was last seen. */
async function sendHostLost(writing: Change, agent: StoredAgent, host: StoredHost): Promise<void> {
  const { deadlines } = writing.tables;
  const due = await deadlines.of({ owner: 'agent', ownerId: agent.id });
  const left = due.map(({ name, dueAt }) => [name, Math.max(1, dueAt - host.seenAt)]);
  const away = { host: host.name, since: timeOf(host.seenAt), left: Object.fromEntries(left) };
  await send(writing, agent, { type: 'HOST_LOST', ...away });
}

/** Pauses the steps with a time limit on a lost host. */
export async function pauseSteps(writing: Change, host: StoredHost): Promise<void> {
  for (const agent of await writing.tables.agents.limitedOn(host.id)) await sendHostLost(writing, agent, host);
}

/** Resumes the steps that wait for a host. */
export async function resumeSteps(writing: Change, hostId: string): Promise<void> {
  for (const agent of await writing.tables.agents.missing(hostId)) await send(writing, agent, { type: 'HOST_BACK' });
}

/**
 * Postpones an agent's deadline that expired while its host was silent, by the length of that silence; returns whether
 * it did. If the host remains silent, it soon counts as lost, and the step is paused.
 */
export async function postponeDeadline(
  { beatBuffer }: Pick<HostScope, 'beatBuffer'>,
  writing: Change,
  agent: StoredAgent,
  { name }: StoredDeadline,
): Promise<boolean> {
  const { tables, now } = writing;
  const host = await tables.hosts.find(agent.host);
  const silentMs = host === undefined ? 0 : now - beatBuffer.freshen(host).seenAt;
  if (silentMs <= 2 * beatBuffer.beatEvery + lateBy) return false;
  await tables.deadlines.set(
    { owner: 'agent', ownerId: agent.id },
    { [name]: Math.min(silentMs, beatBuffer.maxSilence) },
  );
  return true;
}
