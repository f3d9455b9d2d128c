import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/store.ts';

/**
 * The agent with an id.
 * @throws NOT_FOUND when there is none, or it is deleted
 */
export async function findAgent(agents: AgentTable, id: string): Promise<StoredAgent> {
  const agent = await agents.find(id);
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

/**
 * An agent with a window, and the host that has it.
 * @throws NOT_FOUND; FAILED_PRECONDITION when it has no window
 */
export async function hostOfPane(
  { agents, hosts }: Pick<Tables, 'agents' | 'hosts'>,
  id: string,
): Promise<{ agent: StoredAgent; host: Pick<StoredHost, 'id' | 'name'> }> {
  const agent = await findAgent(agents, id);
  if (!agent.alive)
    throw new Failure('AGENT_HAS_NO_WINDOW', `Agent ${describeAgent(agent)} ${whyWindowless(agent)}`, {
      metadata: { agentId: agent.id },
    });
  return { agent, host: (await hosts.find(agent.host)) ?? { id: agent.host, name: agent.host } };
}

/** Why an agent has no window, and what to do about it. */
export function whyWindowless(agent: StoredAgent): string {
  if (agent.standing === 'archived') return 'is archived: restore_agent brings it back';
  if (isBeingDeleted(agent)) return 'is being deleted';
  if (agent.state === 'AGENT_STATE_FAILED_TO_CREATE') {
    // If it was to be briefed, its CLI ran.
    const hasRun = readAgentContext(agent.snapshot).failedStep === 'briefing';
    return `has no window: its ${hasRun ? 'CLI ended before it accepted its briefing' : 'launch failed'}; retry_agent launches it again`;
  }
  if (agent.state === 'AGENT_STATE_SETTING_UP') return 'has no window yet: it is being set up';
  return 'has no running CLI: restore_agent resumes it';
}

/** An agent's name in messages. */
export function describeAgent({ name, id }: Pick<StoredAgent, 'name' | 'id'>): string {
  return `${quoted(name)} (${id})`;
}

/** The state of an agent's machine, such as `settingUp.opening`. */
export function phaseOfAgent({ snapshot }: StoredAgent): string {
  return phaseOf(snapshot.value);
}

/** Whether an agent's CLI has ended for good: the agent is archived, or its deletion has begun to close it. */
export function hasEnded(agent: StoredAgent): boolean {
  const isClosing = isBeingDeleted(agent) && phaseOfAgent(agent) !== 'cleaningUp.inspecting';
  return agent.standing !== 'present' || isClosing;
}

/** Whether an agent may hold and use tokens. It may not once it is archived or deleted. */
export function mayHoldTokens(agent: StoredAgent): boolean {
  return !haveTokensEnded(agent) && !isBeingDeleted(agent);
}

/**
 * Whether an agent's tokens have ended for good: it gets new ones when it is restored. While a deletion checks for work
 * that would be lost, the tokens are refused, but they become valid again if the deletion is refused.
 */
export function haveTokensEnded(agent: StoredAgent): boolean {
  return hasEnded(agent) || phaseOfAgent(agent) === 'failedToCleanup';
}

/** Whether an agent is being deleted. */
export function isBeingDeleted(agent: StoredAgent): boolean {
  return phaseOfAgent(agent).startsWith('cleaningUp');
}
