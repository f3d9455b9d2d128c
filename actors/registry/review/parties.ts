import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { ownAgentId } from '#actors/registry/kernel/self.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';
import type { StoredThread } from '#store/review/entities.ts';
import type { Tables } from '#store/tables.ts';

/** A caller as reviews store it: `person`, or an agent's id. */
export function partyOf(caller: Caller): string {
  return caller.kind === 'person' ? 'person' : caller.agentId;
}

/**
 * The agent whose work a call is about: for a reviewer its parent, for other agents the agent itself, for a person the
 * named agent.
 * @throws PERMISSION_DENIED when an agent names another one; INVALID_ARGUMENT when nothing identifies it
 */
export function reviewedId(caller: Caller, agentId: string | undefined): string {
  if (caller.kind === 'person' || caller.role !== 'reviewer') return ownAgentId(caller, agentId);
  const parent = caller.parentAgentId;
  if (agentId && agentId === parent) return agentId;
  if (agentId) {
    const whose = parent === undefined ? 'you have no parent' : `that is ${parent}`;
    throw new Failure('NOT_YOURS', `agentId is ${quoted(agentId)}: a reviewer reviews only its parent, and ${whose}`, {
      field: 'agentId',
    });
  }
  if (parent !== undefined) return parent;
  throw new Failure(
    'AGENT_REQUIRED',
    'agentId is missing, and you have no parent: there is no work for you to review',
    { field: 'agentId' },
  );
}

/** The row of the agent of `reviewedId`. @throws as `reviewedId`; NOT_FOUND when there is no such agent */
export function reviewedAgent(agents: AgentTable, caller: Caller, agentId: string | undefined): Promise<StoredAgent> {
  return findAgent(agents, reviewedId(caller, agentId));
}

/**
 * A thread that a caller may see.
 * @throws NOT_FOUND when there is no such thread for the caller; PERMISSION_DENIED when the caller is a reviewer
 *   without a parent
 */
export async function seenThread({ reviews }: Tables, caller: Caller, threadId: string): Promise<StoredThread> {
  const agentId = participating(caller);
  const thread = await reviews.thread(threadId);
  const isTheirs = agentId === undefined || thread?.agent === agentId;
  if (thread !== undefined && isTheirs && isSeen(thread, caller)) return thread;
  throw new Failure(
    'REVIEW_THREAD_NOT_FOUND',
    `There is no review thread ${quoted(threadId)}: list_review_threads shows yours`,
    { field: 'threadId', metadata: { threadId } },
  );
}

/** Whether a caller may see a thread: it is released, or the caller's own. */
function isSeen({ releasedAt, author }: StoredThread, caller: Caller): boolean {
  return releasedAt != null || author === partyOf(caller);
}

/**
 * The agent whose reviews a caller takes part in; undefined for a person, who takes part in all.
 * @throws PERMISSION_DENIED when the caller is a reviewer without a parent
 */
export function participating(caller: Caller): string | undefined {
  if (caller.kind === 'person') return undefined;
  if (caller.role !== 'reviewer') return caller.agentId;
  if (caller.parentAgentId !== undefined) return caller.parentAgentId;
  throw new Failure('NOT_YOURS', 'You have no parent: a reviewer reviews only its parent');
}
