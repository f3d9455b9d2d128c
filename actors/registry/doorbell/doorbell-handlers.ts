import { z } from 'zod';
import { change } from '#actors/registry/agent/change.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import { ownAgentId } from '#actors/registry/kernel/self.ts';
import type { AgentRole } from '#contract/agent/agent.ts';
import { claimDoorbells, waitForDoorbells } from '#contract/operations/doorbell.ts';
import { bellViewOf } from '#machines/doorbell/doorbell.ts';
import type { StoredDoorbell } from '#store/doorbell/doorbell-entity.ts';
import type { DoorbellTable } from '#store/doorbell/doorbell-table.ts';
import { advanceDoorbell, doorbellOf } from './doorbells.ts';

/** What the doorbell handlers need. */
interface DoorbellScope extends KernelScope {
  readonly briefings: { atReview(role: AgentRole): Promise<string> };
}

/** How many of an agent's last doorbells are searched for one that it claimed. */
const reviewBellsRead = 20;

/** Claims an agent's open doorbell, and returns what raised it. */
export const claimDoorbellsHandler = handler(claimDoorbells, async (request, caller, scope: DoorbellScope) => {
  const agentId = ownAgentId(caller, request.agentId);
  const { claimed, role } = await change(scope, async (writing) => {
    const { agents, doorbells } = writing.tables;
    const known = await findAgent(agents, agentId);
    const open = await doorbells.openOf(agentId);
    const isFirstReview = open?.forReview === true && !(await hasClaimedReviewBell(doorbells, agentId));
    const claimed = open && (await advanceDoorbell(writing, open, { type: 'CLAIM' }, { known }));
    return { claimed, role: isFirstReview ? known.role : undefined };
  });
  if (claimed === undefined) return { doorbells: [] };
  const briefing = role === undefined ? '' : await scope.briefings.atReview(role);
  return { doorbells: [doorbellOf(claimed)], ...(briefing !== '' && { briefing }) };
});

/** Whether an agent has claimed a doorbell of a review before; such doorbells may have been pruned. */
async function hasClaimedReviewBell(doorbells: DoorbellTable, agentId: string): Promise<boolean> {
  const closed = await doorbells.closedForReview(agentId, reviewBellsRead);
  return closed.some(({ snapshot }) => bellViewOf(snapshot).state === 'DOORBELL_STATE_CLAIMED');
}

/** The last reported doorbell, and the number of its causes at that time. */
const cursors = cursorCodec('doorbells', { bell: z.string(), raises: z.int() });

/**
 * Returns an agent's open doorbell if it is new to the caller. Otherwise the call waits, and nothing is typed
 * meanwhile.
 */
export const waitForDoorbellsHandler = handler(waitForDoorbells, async (request, caller, scope) => {
  const agentId = ownAgentId(caller, request.agentId);
  const at = cursors.read(request.cursor);
  const raised = await scope.store.read(async ({ agents, doorbells }) => {
    await findAgent(agents, agentId);
    const open = await doorbells.openOf(agentId);
    if (open !== undefined && (open.id !== at?.bell || raiseCount(open) > at.raises)) return open;
    // Registered within the read, so whatever raises the doorbell later finds the agent waiting.
    if (caller.kind === 'agent') scope.waiters.enter(agentId);
    return undefined;
  });
  if (raised === undefined) return { doorbells: [], cursor: cursors.write(at ?? { bell: '', raises: 0 }) };
  const notified = caller.kind === 'agent' ? await noteNotified(scope, raised) : raised;
  return {
    doorbells: [doorbellOf(notified)],
    cursor: cursors.write({ bell: notified.id, raises: raiseCount(notified) }),
  };
});

/**
 * Records that the agent is notified, so that a line is typed only if it does not claim; returns the updated doorbell.
 */
function noteNotified(scope: KernelScope, seen: StoredDoorbell): Promise<StoredDoorbell> {
  scope.waiters.leave(seen.agent);
  return change(scope, async (writing) => {
    const bell = (await writing.tables.doorbells.find(seen.id)) ?? seen;
    return (await advanceDoorbell(writing, bell, { type: 'TOLD' })) ?? bell;
  });
}

function raiseCount({ snapshot }: StoredDoorbell): number {
  return Object.values(bellViewOf(snapshot).causes).reduce((sum, count) => sum + count, 0);
}
