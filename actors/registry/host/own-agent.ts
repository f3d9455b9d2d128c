import { agentOfEpoch, called, findAgent } from '#actors/registry/agent/find-agent.ts';
import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';

/**
 * An agent that is placed on the host that speaks.
 * @throws Failure `not_found`; `permission_denied` where it is another host's
 */
export async function ownAgent(agents: AgentTable, { hostId }: Sender, agentId: string): Promise<StoredAgent> {
  // Also one that is gone: its host is to hear that, and to let go of it.
  const agent = (await agents.find(agentId)) ?? (await findAgent(agents, agentId));
  if (agent.host === hostId) return agent;
  throw new Failure(
    'permission_denied',
    `Agent ${called(agent)} is placed on another host than ${hostId}, which has no say in it: let go of it`,
  );
}

/** As `ownAgent`, in the epoch that it is in. @throws Failure `failed_precondition` where it was placed anew since */
export async function ownAgentOfEpoch(
  agents: AgentTable,
  sender: Sender,
  { agentId, epoch }: { readonly agentId: string; readonly epoch: number },
): Promise<StoredAgent> {
  await ownAgent(agents, sender, agentId);
  return agentOfEpoch(agents, agentId, epoch);
}
