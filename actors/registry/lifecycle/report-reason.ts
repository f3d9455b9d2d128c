import { agentToChange, change, send } from '#actors/registry/agent/change.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { ownAgentId } from '#actors/registry/kernel/self.ts';
import { shownAgent } from '#actors/registry/roster/shown-agent.ts';
import { Failure } from '#contract/failure.ts';
import { reportReason } from '#contract/operations/report.ts';
import { quoted } from '#contract/quoted.ts';
import { splitFlags } from '#machines/flags.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';

/** Records what an agent reports about itself. */
export const reportReasonHandler = handler(reportReason, async (request, caller, scope) => {
  const agentId = ownAgentId(caller, request.agentId);
  const now = scope.clock.now();
  // If the agent's clock is ahead, the report must not suppress reports made after that clock is corrected.
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

/** What CLIs read as a position in a directory's list of conversations, not as an id. */
const placeForm = /^(?:latest|last|[0-9]{1,9})$/i;

/**
 * Keeps an agent from reporting another agent's conversation, which its next window would resume.
 * @throws PERMISSION_DENIED when it may be another agent's conversation
 */
async function refuseOthers(agents: AgentTable, { id, sessionId, launch }: StoredAgent, said: string): Promise<void> {
  if (said === sessionId || said === launch.sessionId) return;
  // A person may have it resume another agent's conversation, with its flags.
  if (splitFlags(launch.flags)?.some((word) => word === said || word.endsWith(`=${said}`))) return;
  const isPlace = placeForm.test(said);
  const isOfOthers =
    (await agents.isSessionOfOthers(id, said)) || (await agents.isSessionOfOthers(id, plainUuid(said)));
  if (!isPlace && !isOfOthers) return;
  throw new Failure(
    'NOT_YOURS',
    `sessionId is ${quoted(said)}, which ${isOfOthers ? 'is' : 'may be'} the conversation of another agent: report your own by its ` +
      'id, or leave it out',
    { field: 'sessionId' },
  );
}

/** A UUID in the form in which it is stored. CLIs also accept it without hyphens, in capitals and as a URN. */
function plainUuid(said: string): string {
  const digits = said
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
    .replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : said;
}
