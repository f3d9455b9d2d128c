import { isBeingDeleted } from '#actors/registry/agent/agent-standing.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/**
 * Checks that a child can run with its parent; an agent without one always can.
 * @throws PARENT_NOT_LIVE when it cannot
 */
export async function checkParent({ tables }: Change, agent: StoredAgent): Promise<void> {
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
