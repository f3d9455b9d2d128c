import { advance, type Journal } from '#actors/loop.ts';
import { dropBell, raiseBell, renewBell } from '#actors/registry/doorbell/doorbells.ts';
import { isOnline } from '#actors/registry/host/online.ts';
import type { RegistryScope } from '#actors/registry/kernel/registry-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { forgetReviews } from '#actors/registry/review/forget.ts';
import { ringHost } from '#bus/bells.ts';
import type { StoredSnapshot } from '#contract/agent-view.ts';
import { Failure } from '#contract/failure.ts';
import { noticeOfFact } from '#contract/notice-of-fact.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentContext, AgentEvent } from '#machines/agent-context.ts';
import { agentLife, phaseOf, viewOf } from '#machines/agent-view.ts';
import { decide } from '#machines/decide.ts';
import type { StoredAgent } from '#store/agent-entity.ts';
import type { AgentTable } from '#store/agent-table.ts';
import type { StoredHost } from '#store/host-entity.ts';
import type { WriteOptions } from '#store/store.ts';
import { freeName } from './agent-name.ts';
import { timeOf } from './agent-resource.ts';
import { called, findAgent, hasEnded, mayHoldTokens, phaseOfAgent } from './find-agent.ts';

/** Writes all of a piece of work or nothing, and then rings the hosts whose agents it moved. */
export async function change<T>(
  { store, bus, ids, clock, waiters }: Pick<RegistryScope, 'store' | 'bus' | 'ids' | 'clock' | 'waiters'>,
  work: (change: Change) => Promise<T>,
  options?: WriteOptions,
): Promise<T> {
  const moved = new Set<string>();
  const result = await store.write(
    (tables) =>
      work({
        tables,
        ids,
        now: clock.now(),
        isWaiting: (agentId) => waiters.isWaiting(agentId),
        ring: (hostId) => moved.add(hostId),
      }),
    options,
  );
  for (const hostId of moved) ringHost(bus, hostId);
  return result;
}

/** Tells an agent's machine of an event; false where the event makes no sense in the state it is in. */
export async function send(writing: Change, agent: StoredAgent, event: AgentEvent): Promise<boolean> {
  const { journal } = writing.tables;
  const through: Journal = { load: (id) => journal.load(id), commit: (commit) => commitFamily(writing, commit) };
  const { accepted } = await advance(through, await journal.load(agent.id), event);
  if (accepted) writing.ring(agent.host);
  return accepted;
}

/**
 * Writes a decision down. Where it begins to close an agent that is deleted, its children are deleted in the same write; where
 * it takes an agent out of the archive whose name was given away meanwhile, the agent gets a number.
 */
export async function commitFamily(writing: Change, commit: AgentCommit): Promise<AgentRecord> {
  const { journal, agents } = writing.tables;
  const before = await agents.find(commit.agentId);
  if (before === undefined) return journal.commit(commit);
  const begins = isClosing(commit.snapshot) && !isClosing(before.snapshot);
  const isArchived = viewOf(before.snapshot).archived;
  const committed = await journal.commit(isArchived ? await named(agents, commit) : commit, before);
  await endTokens(writing, commit, before);
  await callToResult(writing, commit, before);
  const isWaiting = await waitForHost(writing, commit, before);
  const isCalled = await callAnew(writing, before, commit);
  const record = isWaiting || isCalled ? await journal.load(commit.agentId) : committed;
  if (!begins) return record;
  const { force } = record.snapshot.context as AgentContext;
  for (const child of await agents.childrenOf(record.id)) await send(writing, child, { type: 'DELETE', force });
  return record;
}

/** A step that begins while its host cannot be reached waits for it from the first moment on; gives whether one does. */
async function waitForHost(writing: Change, commit: AgentCommit, { host: id }: StoredAgent): Promise<boolean> {
  const { hosts, agents } = writing.tables;
  if (Object.values(commit.deadlines).every((afterMs) => afterMs === null)) return false;
  const [host, agent] = [await hosts.find(id), await agents.find(commit.agentId)];
  if (host === undefined || agent === undefined || isOnline(host)) return false;
  await loseHostOf(writing, agent, host);
  return true;
}

/** Tells an agent that its host cannot be reached, and what was left of its limits when that was last heard. */
export async function loseHostOf(writing: Change, agent: StoredAgent, host: StoredHost): Promise<void> {
  const { deadlines } = writing.tables;
  const due = await deadlines.of({ owner: 'agent', ownerId: agent.id });
  const left = due.map(({ name, dueAt }) => [name, Math.max(1, dueAt - host.seenAt)]);
  const away = { host: host.name, since: timeOf(host.seenAt), left: Object.fromEntries(left) };
  await send(writing, agent, { type: 'HOST_LOST', ...away });
}

/** The tokens of an agent end with it, at once and for good: a window that is opened anew is given another one. */
async function endTokens({ tables }: Change, commit: AgentCommit, before: StoredAgent): Promise<void> {
  if (!mayHoldTokens(before)) return;
  const after = await tables.agents.find(commit.agentId);
  if (after !== undefined && !mayHoldTokens(after)) await tables.credentials.endOf(commit.agentId);
}

/** An agent that has ended is called no more, and one that is brought back is called anew to what still waits for it. */
async function callAnew(writing: Change, { id, snapshot }: StoredAgent, commit: AgentCommit): Promise<boolean> {
  const [was, is] = [viewOf(snapshot), viewOf(commit.snapshot)];
  if ((is.archived && !was.archived) || is.gone) {
    const isDropped = await dropBell(writing, id);
    if (is.gone) await forgetReviews(writing, id);
    return isDropped;
  }
  return commit.facts.some(({ kind }) => kind === 'agent.restored') && renewBell(writing, id);
}

/**
 * An agent that waits for what another one comes to is called whenever that one finishes, fails or waits for a person. `known` is
 * the row of the latter where this piece of work has read it.
 */
export async function callToResult(
  writing: Change,
  { agentId, facts }: Pick<AgentCommit, 'agentId' | 'facts'>,
  known?: StoredAgent,
): Promise<void> {
  const count = facts.filter(({ kind }) => Object.hasOwn(noticeOfFact, kind)).length;
  if (count === 0) return;
  const { agents } = writing.tables;
  const { resultFor } = known ?? (await agents.find(agentId)) ?? {};
  const waiting = resultFor == null ? undefined : await agents.find(resultFor);
  if (waiting === undefined || hasEnded(waiting)) return;
  await raiseBell(writing, waiting.id, { cause: 'DOORBELL_CAUSE_RESULT', count });
}

async function named(agents: AgentTable, commit: AgentCommit): Promise<AgentCommit> {
  const { name, archived, gone } = viewOf(commit.snapshot);
  if (archived || gone) return commit;
  const free = await freeName(agents, name);
  const renaming = free === name ? undefined : decide(agentLife, commit.snapshot, { type: 'RENAME', name: free });
  if (renaming === undefined) return commit;
  const effects = renaming.effects.map(({ kind, params }) => ({ kind, params: { ...params } }));
  const facts = renaming.facts.map(({ kind, detail }) => ({ kind, detail: { ...detail } }));
  return {
    ...commit,
    snapshot: renaming.snapshot,
    effects: [...commit.effects, ...effects],
    facts: [...commit.facts, ...facts],
  };
}

function isClosing({ value }: StoredSnapshot): boolean {
  return phaseOf(value) === 'cleaningUp.closing';
}

/**
 * As `send`, for an event that a caller asks for; gives the agent as it is then.
 * @throws Failure `failed_precondition` naming the operation and the state.
 */
export async function demand(
  change: Change,
  agent: StoredAgent,
  event: AgentEvent,
  method: string,
): Promise<StoredAgent> {
  if (await send(change, agent, event)) {
    return (await change.tables.agents.find(agent.id)) ?? agent;
  }
  throw new Failure(
    'failed_precondition',
    `${method} is not possible for agent ${called(agent)} in ${agent.state} (${phaseOfAgent(agent)})`,
  );
}

/** The agent of an id, to be changed. @throws Failure `not_found`. */
export function agentToChange({ tables }: Change, agentId: string): Promise<StoredAgent> {
  return findAgent(tables.agents, agentId);
}
