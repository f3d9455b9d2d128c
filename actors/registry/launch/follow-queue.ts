import { phaseOfAgent } from '#actors/registry/agent/agent-standing.ts';
import type { AgentChange, Change } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** Updates the launch queue with its agents: one that waits again goes last, a deleted one is removed. */
export async function followQueue(
  { tables: { queuedLaunches }, now }: Change,
  { agentId }: AgentCommit,
  { before, after }: AgentChange,
): Promise<boolean> {
  if (before.queued && after.standing === 'gone') await queuedLaunches.remove(agentId);
  else if (isWaiting(after) && !isWaiting(before)) await queuedLaunches.requeue(agentId, now);
  return false;
}

/** Whether an agent waits in the queue. */
export function isWaiting(agent: StoredAgent): boolean {
  return phaseOfAgent(agent) === 'settingUp.queued';
}
