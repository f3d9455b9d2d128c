import { advance, type Journal } from '#actors/loop.ts';
import type { WriteScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { hintHost } from '#bus/hints.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import { type AgentEvent, readAgentContext } from '#machines/agent/agent-context.ts';
import { agentDefinition, phaseOf, viewOf } from '#machines/agent/agent-view.ts';
import { decide } from '#machines/decide.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable, AgentWithRecord } from '#store/agent/agent-table.ts';
import type { WriteOptions } from '#store/store.ts';
import { freeName } from './agent-name.ts';
import { phaseOfAgent } from './agent-standing.ts';
import { describeAgent } from './describe-agent.ts';
import { findAgent } from './find-agent.ts';

/** Runs a unit of work in one transaction, then sends hints to the hosts whose agents it changed. */
export async function change<T>(
  { store, bus, ids, clock, waiters, completions, consequences }: WriteScope,
  work: (change: Change) => Promise<T>,
  options?: WriteOptions,
): Promise<T> {
  const changedHosts = new Set<string>();
  const result = await store.write(
    (tables) =>
      work({
        tables,
        ids,
        now: clock.now(),
        completions,
        consequences,
        isWaiting: (agentId) => waiters.isWaiting(agentId),
        ring: (hostId) => changedHosts.add(hostId),
      }),
    options,
  );
  for (const hostId of changedHosts) hintHost(bus, hostId);
  return result;
}

/** Sends an event to an agent's machine; false if its state does not accept the event. */
export async function send(writing: Change, agent: StoredAgent, event: AgentEvent): Promise<boolean> {
  const { agents } = writing.tables;
  let known = await agents.whole(agent.id);
  const journal: Journal = {
    async load(id) {
      known = await agents.whole(id);
      return known.record;
    },
    commit: (commit) => commitFamily(writing, commit, known),
  };
  const { accepted } = await advance(journal, known.record, event);
  if (accepted) writing.ring(agent.host);
  return accepted;
}

/**
 * Saves a decision about an agent that this transaction has just read. If the decision begins to close a deleted agent,
 * its children are deleted in the same write. If it restores an agent whose name was taken meanwhile, the name gets a
 * number.
 */
export async function commitFamily(writing: Change, commit: AgentCommit, known: AgentWithRecord): Promise<AgentRecord> {
  const { journal, agents } = writing.tables;
  const { agent: before } = known;
  const begins = isClosing(commit.snapshot) && !isClosing(before.snapshot);
  const isArchived = viewOf(before.snapshot).archived;
  let whole = isArchived ? await named(agents, commit) : commit;
  for (const complete of writing.completions) whole = await complete(writing.tables, whole, before);
  const committed = await journal.commit(whole, known);
  const agent = { before, after: committed.agent };
  let isChanged = false;
  for (const follow of writing.consequences) isChanged = (await follow(writing, commit, agent)) || isChanged;
  const record = isChanged ? await journal.load(commit.agentId) : committed.record;
  if (!begins) return record;
  const { force } = readAgentContext(record.snapshot);
  for (const child of await agents.childrenOf(record.id)) await send(writing, child, { type: 'DELETE', force });
  return record;
}

async function named(agents: AgentTable, commit: AgentCommit): Promise<AgentCommit> {
  const { name, archived, gone } = viewOf(commit.snapshot);
  if (archived || gone) return commit;
  const free = await freeName(agents, name);
  const renaming = free === name ? undefined : decide(agentDefinition, commit.snapshot, { type: 'RENAME', name: free });
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

/** What only an agent's host can do. */
const doneByHost: ReadonlySet<AgentEvent['type']> = new Set(['ARCHIVE', 'DELETE', 'RESTORE', 'RETRY']);

/** Earlier versions left the time of the removal with an agent that they moved to another host. */
async function isHostRemoved({ tables }: Change, { host, hostRemovedAt }: StoredAgent): Promise<boolean> {
  if (hostRemovedAt == null) return false;
  const now = await tables.hosts.find(host);
  return now === undefined || phaseOf(now.snapshot.value) === 'removed';
}

/**
 * Like `send`, for an event that a caller requests; returns the updated agent.
 * @throws WRONG_AGENT_STATE naming the operation and the state, or that the agent's host was removed
 */
export async function sendRequired(
  change: Change,
  agent: StoredAgent,
  event: AgentEvent,
  method: string,
): Promise<StoredAgent> {
  const refusal = (why: string) =>
    new Failure('WRONG_AGENT_STATE', `${method} is not possible for agent ${describeAgent(agent)} ${why}`, {
      metadata: { agentId: agent.id, state: agent.state, phase: phaseOfAgent(agent) },
    });
  if (doneByHost.has(event.type) && (await isHostRemoved(change, agent))) {
    throw refusal(
      'whose host was removed, and does not return: delete it with abandon, or move it with fromLastRound if a round was kept',
    );
  }
  if (await send(change, agent, event)) return (await change.tables.agents.find(agent.id)) ?? agent;
  throw refusal(`in ${agent.state} (${phaseOfAgent(agent)})`);
}

/**
 * The agent with an id, for a change.
 * @throws NOT_FOUND when there is none
 */
export function agentToChange({ tables }: Change, agentId: string): Promise<StoredAgent> {
  return findAgent(tables.agents, agentId);
}
