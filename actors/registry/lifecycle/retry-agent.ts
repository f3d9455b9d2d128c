import { agentToChange, change, sendRequired } from '#actors/registry/agent/change.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { currentLaunch } from '#actors/registry/launch/current-launch.ts';
import type { LaunchScope } from '#actors/registry/launch/launch-scope.ts';
import { refuseBelowFloor } from '#actors/registry/launch/refuse-below-floor.ts';
import { checkMayWorkFor } from '#actors/registry/rights/steering-rights.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { retryAgent } from '#contract/operations/agent.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** Continues a failed launch or clean-up. */
export const retryAgentHandler = handler(retryAgent, ({ agentId, withCurrentWorkflow }, caller, scope: LaunchScope) =>
  change(scope, async (writing) => {
    const found = await agentToChange(writing, agentId);
    checkCleanUp(caller, found);
    const current = withCurrentWorkflow ? await currentLaunch(writing.tables, caller, found) : undefined;
    if (current) await writing.tables.journal.setLaunch(found.id, current.launch);
    const agent = { ...found, ...(current && { launch: current.launch }) };
    if (agent.state === 'AGENT_STATE_FAILED_TO_CREATE') {
      await checkMayWorkFor(writing.tables, caller, agent);
      const host = await writing.tables.hosts.find(agent.host);
      // One that was never placed waits for a host with room.
      if (host !== undefined && !agent.queued) refuseBelowFloor(scope, host);
    }
    const retried = await sendRequired(
      writing,
      agent,
      { type: 'RETRY', ...(current && { fresh: current.fresh }) },
      retryAgent.method,
    );
    return { agent: await wholeAgent(writing.tables.agents, retried, caller) };
  }),
);

/**
 * Checks that a caller may retry an agent's clean-up: whoever may archive or delete the agent.
 * @throws PERMISSION_DENIED when the caller may not
 */
function checkCleanUp(caller: Caller, agent: StoredAgent): void {
  if (caller.kind === 'person' || agent.state !== 'AGENT_STATE_FAILED_TO_CLEANUP') return;
  const { cleanup } = readAgentContext(agent.snapshot);
  if (cleanup === 'archive' && agent.spawnedByAgentId === caller.agentId) return;
  const why =
    cleanup === 'archive'
      ? 'it was being archived, and you did not launch it: an orchestrator may archive only agents that it launched itself'
      : 'it was being deleted, and only a person may delete: ask the person';
  throw new Failure('NOT_YOURS', `The clean-up of agent ${describeAgent(agent)} is not yours to retry: ${why}`, {
    field: 'agentId',
  });
}
