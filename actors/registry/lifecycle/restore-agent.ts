import { agentToChange, change, sendRequired } from '#actors/registry/agent/change.ts';
import { describeAgent, isBeingDeleted, refuseHeld } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { LaunchScope } from '#actors/registry/launch/launch-scope.ts';
import { refuseWithoutRoom } from '#actors/registry/launch/quota.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import { Failure } from '#contract/failure.ts';
import { restoreAgent } from '#contract/operations/agent.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** Restores an archived or ended agent. If another agent has taken its name, it gets a numbered one. */
export const restoreAgentHandler = handler(restoreAgent, ({ agentId }, caller, scope: LaunchScope) =>
  change(scope, async (writing) => {
    const { agents } = writing.tables;
    const agent = await agentToChange(writing, agentId);
    refuseHeld(agent, restoreAgent.method);
    await checkParent(writing, agent);
    if (agent.standing === 'archived') {
      await refuseWithoutRoom(agents, { ...scope.launchQuota, ceiling: scope.ceiling }, caller, writing.now);
    }
    const restored = await sendRequired(writing, agent, { type: 'RESTORE' }, restoreAgent.method);
    return { agent: await wholeAgent(agents, restored, caller) };
  }),
);

async function checkParent({ tables }: Change, agent: StoredAgent): Promise<void> {
  if (agent.parentAgentId == null) return;
  const parent = await tables.agents.find(agent.parentAgentId);
  const how = whyNotWith(agent, parent);
  if (how === undefined) return;
  const whose = parent === undefined ? agent.parentAgentId : describeAgent(parent);
  throw new Failure('PARENT_NOT_LIVE', `Agent ${describeAgent(agent)} is a child, and its parent ${whose} ${how}`);
}

/** Why a child cannot run with its parent; undefined if it can. */
function whyNotWith(child: StoredAgent, parent: StoredAgent | undefined): string | undefined {
  if (parent?.standing === 'archived') return 'is archived: restore it first';
  if (parent?.standing !== 'present' || isBeingDeleted(parent)) return 'is deleted';
  if (parent.movingTo != null) return `moves to ${parent.movingTo}: wait until it has arrived, or cancel the move`;
  if (parent.host === child.host) return undefined;
  return `is on another host, to which this child has yet to move: ${child.failedMove || 'wait'}`;
}
