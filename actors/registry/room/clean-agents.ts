import { z } from 'zod';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import type { HostScope } from '#actors/registry/host/host-scope.ts';
import { cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import type { CleanedAgent } from '#contract/agent/cleaned-agent.ts';
import { cleanAgents } from '#contract/operations/clean.ts';
import { cleanAgent } from './clean-agent.ts';

const cursors = cursorCodec('clean-agents', { id: z.string() });

/** How long one call goes on to the next agent, in milliseconds. The rest is on the next page. */
const beginsWithinMs = 4_000;

/** Deletes what archived agents no longer need on disk, one agent after another, or says what it would delete. */
export const cleanAgentsHandler = handler(cleanAgents, async (request, _caller, scope: HostScope) => {
  const { agentIds = [], workflowId, dryRun = false, pagination } = request;
  const limit = pageLimit(pagination?.pageSize);
  const after = cursors.read(pagination?.cursor)?.id;
  const found = await scope.store.read(async ({ agents, disks }) => {
    for (const id of agentIds) await findAgent(agents, id);
    const ids = agentIds.length === 0 ? undefined : agentIds;
    return disks.archived({ after, limit: limit + 1, ids, workflowId: workflowId || undefined });
  });
  const until = scope.timer.now() + beginsWithinMs;
  const cleaned: CleanedAgent[] = [];
  let last: string | undefined;
  for (const { id } of found.slice(0, limit)) {
    if (last !== undefined && scope.timer.now() >= until) break;
    const one = await cleanAgent(scope, id, dryRun ? 'nothing' : 'worktree');
    if (one !== undefined) cleaned.push(one);
    last = id;
  }
  const isLast = last === undefined || found.at(-1)?.id === last;
  return { agents: cleaned, ...(!isLast && last !== undefined && { nextPageToken: cursors.write({ id: last }) }) };
});
