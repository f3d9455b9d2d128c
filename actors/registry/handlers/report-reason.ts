import { agentToChange, change, send } from '#actors/registry/change.ts';
import { findAgent } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { shownAgent } from '#actors/registry/roster/shown-agent.ts';
import { selfOf } from '#actors/registry/self.ts';
import { Failure } from '#contract/failure.ts';
import { reportReason } from '#contract/operations/report.ts';
import { quoted } from '#contract/quoted.ts';
import { splitFlags } from '#machines/flags.ts';
import type { StoredAgent } from '#store/agent-entity.ts';
import type { AgentTable } from '#store/agent-table.ts';

/** Notes what an agent's CLI says of itself. A report that tells nothing new writes nothing. */
export const reportReasonHandler = handler(reportReason, async (request, caller, scope) => {
  const agentId = selfOf(caller, request.agentId);
  const now = scope.clock.now();
  // A clock that is ahead must not hold back what is reported after it was set right.
  const at = request.reportedAt ? Math.min(Date.parse(request.reportedAt), now) : now;
  return change(scope, async (writing) => {
    const { reason = '', sessionId } = request;
    const agent = await agentToChange(writing, agentId);
    if (sessionId && caller.kind === 'agent') await refuseOthers(writing.tables.agents, agent, sessionId);
    await send(writing, agent, {
      type: 'REPORTED',
      report: { reason, at },
      ...(sessionId ? { session: { id: sessionId, at } } : {}),
    });
    return { agent: shownAgent(caller, await findAgent(writing.tables.agents, agentId)) };
  });
});

/** A new window takes the conversation up again that was reported: another agent's is that one's alone. */
async function refuseOthers(agents: AgentTable, { id, sessionId, launch }: StoredAgent, said: string): Promise<void> {
  if (said === sessionId || said === launch.sessionId) return;
  // A person who had it take up another one's conversation said so in its flags.
  if (splitFlags(launch.flags)?.some((word) => word === said || word.endsWith(`=${said}`))) return;
  if (!(await agents.isSessionOfOthers(id, said))) return;
  throw new Failure(
    'permission_denied',
    `sessionId is ${quoted(said)}, which is the conversation of another agent: report your own, or leave it out`,
  );
}
