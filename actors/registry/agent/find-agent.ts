import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable, BriefedAgent } from '#store/agent/agent-table.ts';
import { describeAgent } from './describe-agent.ts';

/**
 * The agent with an id.
 * @throws NOT_FOUND when there is none, or it is deleted
 */
export async function findAgent(agents: AgentTable, id: string): Promise<StoredAgent> {
  return present(id, await agents.find(id));
}

/** As `findAgent`, with the whole briefing. */
export async function findAgentWithBriefing(agents: AgentTable, id: string): Promise<BriefedAgent> {
  return present(id, await agents.findWithBriefing(id));
}

function present<Found extends StoredAgent>(id: string, agent: Found | undefined): Found {
  if (agent !== undefined && agent.standing !== 'gone') return agent;
  throw noAgent(id);
}

/** The error for an unknown agent id. */
export function noAgent(id: string): Failure {
  return new Failure('AGENT_NOT_FOUND', `There is no agent ${quoted(id)}: list_agents lists them`, {
    metadata: { agentId: id },
  });
}

/**
 * Refuses a host's report about an agent from an earlier epoch.
 * @throws NOT_FOUND when it is gone; FAILED_PRECONDITION when it was placed again since
 */
export function requireEpoch(agent: StoredAgent, epoch: number): void {
  if (agent.standing === 'gone') throw noAgent(agent.id);
  if (agent.epoch === epoch) return;
  throw new Failure(
    'AGENT_PLACED_ANEW',
    `Agent ${describeAgent(agent)} was placed again (epoch ${agent.epoch}), so epoch ${epoch} is no longer valid: release the agent`,
  );
}

/**
 * Checks that no person holds an agent, before its pane or worktree is touched.
 * @throws FAILED_PRECONDITION when a person does
 */
export function refuseHeld(agent: StoredAgent, method: string): void {
  if (agent.heldAt == null) return;
  throw new Failure(
    'AGENT_HELD',
    `${method} is not possible for agent ${describeAgent(agent)}: a person has held it since ${new Date(agent.heldAt).toISOString()}; ` +
      'unhold_agent gives it back',
    { metadata: { agentId: agent.id, heldAt: new Date(agent.heldAt).toISOString() } },
  );
}
