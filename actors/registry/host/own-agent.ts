import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { noAgent, requireEpoch } from '#actors/registry/agent/find-agent.ts';
import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable, AgentWithRecord } from '#store/agent/agent-table.ts';

/**
 * An agent of the host that sent a request.
 * @throws NOT_FOUND when there is no such agent; PERMISSION_DENIED when it is placed on another host
 */
export async function ownAgent(agents: AgentTable, sender: Sender, agentId: string): Promise<StoredAgent> {
  // Also finds a deleted agent, so that its host is informed and releases it.
  const agent = await agents.find(agentId);
  if (agent === undefined) throw noAgent(agentId);
  return requireOwn(agent, sender);
}

/** As `ownAgent`, with its record. */
export async function ownWholeAgent(agents: AgentTable, sender: Sender, agentId: string): Promise<AgentWithRecord> {
  const whole = await agents.whole(agentId);
  requireOwn(whole.agent, sender);
  return whole;
}

function requireOwn(agent: StoredAgent, { hostId }: Sender): StoredAgent {
  if (agent.host === hostId && !agent.queued) return agent;
  throw new Failure(
    'HOST_NOT_ENTITLED',
    `Agent ${describeAgent(agent)} is placed on another host than ${hostId}, which may not act on it: release the agent`,
  );
}

/** As `ownAgent`, if its epoch is still `epoch`. @throws FAILED_PRECONDITION when the agent was placed again since */
export async function ownAgentOfEpoch(
  agents: AgentTable,
  sender: Sender,
  { agentId, epoch }: { readonly agentId: string; readonly epoch: number },
): Promise<StoredAgent> {
  const agent = await ownAgent(agents, sender, agentId);
  requireEpoch(agent, epoch);
  return agent;
}
