import { agentOf } from '#actors/registry/agent-resource.ts';
import { agentToChange, change, send } from '#actors/registry/change.ts';
import { findAgent } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { selfOf } from '#actors/registry/self.ts';
import { reportReason } from '#contract/operations/report.ts';

/** Notes what an agent's CLI says of itself. A report that tells nothing new writes nothing. */
export const reportReasonHandler = handler(reportReason, async (request, caller, scope) => {
  const agentId = selfOf(caller, request.agentId);
  const now = scope.clock.now();
  // A clock that is ahead must not hold back what is reported after it was set right.
  const at = request.reportedAt ? Math.min(Date.parse(request.reportedAt), now) : now;
  return change(scope, async (writing) => {
    const { reason = '', sessionId } = request;
    await send(writing, await agentToChange(writing, agentId), {
      type: 'REPORTED',
      report: { reason, at },
      ...(sessionId ? { session: { id: sessionId, at } } : {}),
    });
    return { agent: agentOf(await findAgent(writing.tables.agents, agentId), undefined) };
  });
});
