import { z } from 'zod';
import { change } from '#actors/registry/agent/change.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { cursorsOf } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import { selfOf } from '#actors/registry/kernel/self.ts';
import { claimDoorbells, waitForDoorbells } from '#contract/operations/doorbell.ts';
import { bellViewOf } from '#machines/doorbell/doorbell.ts';
import type { StoredDoorbell } from '#store/doorbell/doorbell-entity.ts';
import { doorbellOf, moveBell } from './doorbells.ts';

/** Claims an agent's open doorbell, and tells what it was raised for. */
export const claimDoorbellsHandler = handler(claimDoorbells, async (request, caller, scope) => {
  const agentId = selfOf(caller, request.agentId);
  return change(scope, async (writing) => {
    await findAgent(writing.tables.agents, agentId);
    const open = await writing.tables.doorbells.openOf(agentId);
    const claimed = open && (await moveBell(writing, open, { type: 'CLAIM' }));
    return { doorbells: claimed ? [doorbellOf(claimed)] : [] };
  });
});

/** The doorbell that was told last, and how often it had been raised by then. */
const cursors = cursorsOf('doorbells', { bell: z.string(), raises: z.int() });

/** Tells an agent of its open doorbell, where it was not told of it before; else it waits, and nothing is typed meanwhile. */
export const waitForDoorbellsHandler = handler(waitForDoorbells, async (request, caller, scope) => {
  const agentId = selfOf(caller, request.agentId);
  const at = cursors.read(request.cursor);
  const news = await scope.store.read(async ({ agents, doorbells }) => {
    await findAgent(agents, agentId);
    const open = await doorbells.openOf(agentId);
    if (open !== undefined && (open.id !== at?.bell || raisesOf(open) > at.raises)) return open;
    // Within the read: whatever raises the doorbell comes after it, and finds that the agent waits.
    if (caller.kind === 'agent') scope.waiters.enter(agentId);
    return undefined;
  });
  if (news === undefined) return { doorbells: [], cursor: cursors.write(at ?? { bell: '', raises: 0 }) };
  const told = caller.kind === 'agent' ? await tell(scope, news) : news;
  return { doorbells: [doorbellOf(told)], cursor: cursors.write({ bell: told.id, raises: raisesOf(told) }) };
});

/** Notes that the agent is told, so that nothing is typed unless it claims nothing; gives the doorbell as it is then. */
function tell(scope: KernelScope, seen: StoredDoorbell): Promise<StoredDoorbell> {
  scope.waiters.leave(seen.agent);
  return change(scope, async (writing) => {
    const bell = (await writing.tables.doorbells.find(seen.id)) ?? seen;
    return (await moveBell(writing, bell, { type: 'TOLD' })) ?? bell;
  });
}

function raisesOf({ snapshot }: StoredDoorbell): number {
  return Object.values(bellViewOf(snapshot).causes).reduce((sum, count) => sum + count, 0);
}
