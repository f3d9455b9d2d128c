import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { ownAgentId } from '#actors/registry/kernel/self.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';
import type { StoredThread } from '#store/review/entities.ts';
import type { Tables } from '#store/store.ts';

/** Who writes or reads, as reviews keep it: `person`, or an agent's id. */
export function partyOf(caller: Caller): string {
  return caller.kind === 'person' ? 'person' : caller.agentId;
}

/**
 * The agent whose work a call is about: for a reviewer the agent that it is a child of, for an implementer itself, for
 * a person the one that is named.
 * @throws PERMISSION_DENIED when an agent names another one, INVALID_ARGUMENT when nothing identifies it
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

/** As `reviewedId`, the agent itself. @throws NOT_FOUND too */
export function reviewedAgent(agents: AgentTable, caller: Caller, agentId: string | undefined): Promise<StoredAgent> {
  return findAgent(agents, reviewedId(caller, agentId));
}

/**
 * A thread that a caller takes part in and may see.
 * @throws NOT_FOUND; PERMISSION_DENIED when the caller reviews nobody
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

/** Whether a caller may know of a thread: it is released, or their own. */
function isSeen({ releasedAt, author }: StoredThread, caller: Caller): boolean {
  return releasedAt != null || author === partyOf(caller);
}

/**
 * The agent whose reviews a caller takes part in; undefined for a person, who does in all.
 * @throws PERMISSION_DENIED when the caller reviews nobody
 */
export function participating(caller: Caller): string | undefined {
  if (caller.kind === 'person') return undefined;
  if (caller.role !== 'reviewer') return caller.agentId;
  if (caller.parentAgentId !== undefined) return caller.parentAgentId;
  throw new Failure('NOT_YOURS', 'You have no parent: a reviewer reviews only its parent');
}
