import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/store.ts';

/**
 * The agent of an id. One that is gone is not found.
 * @throws Failure `not_found`.
 */
export async function findAgent(agents: AgentTable, id: string): Promise<StoredAgent> {
  const agent = await agents.find(id);
  if (agent !== undefined && agent.standing !== 'gone') return agent;
  throw new Failure('not_found', `There is no agent ${quoted(id)}: list_agents shows those that there are`);
}

/**
 * The agent of an id, as its host speaks of it.
 * @throws Failure `not_found`; `failed_precondition` where it was placed anew since the host's epoch.
 */
export async function agentOfEpoch(agents: AgentTable, id: string, epoch: number): Promise<StoredAgent> {
  const agent = await findAgent(agents, id);
  if (agent.epoch === epoch) return agent;
  throw new Failure(
    'failed_precondition',
    `Agent ${called(agent)} was placed anew (epoch ${agent.epoch}), so epoch ${epoch} has no say: let go of it`,
  );
}

/** Refuses what would touch the pane or the worktree of an agent that a person holds. @throws Failure `failed_precondition`. */
export function refuseHeld(agent: StoredAgent, method: string): void {
  if (agent.heldAt == null) return;
  throw new Failure(
    'failed_precondition',
    `${method} is not possible for agent ${called(agent)}: a person holds it since ${new Date(agent.heldAt).toISOString()}; ` +
      'unhold_agent gives it back',
  );
}

/**
 * An agent with a window, and the host that has it.
 * @throws Failure `not_found`; `failed_precondition` where it has no window
 */
export async function hostOfPane(
  { agents, hosts }: Pick<Tables, 'agents' | 'hosts'>,
  id: string,
): Promise<{ agent: StoredAgent; host: Pick<StoredHost, 'id' | 'name'> }> {
  const agent = await findAgent(agents, id);
  if (!agent.alive) throw new Failure('failed_precondition', `Agent ${called(agent)} ${whyWindowless(agent)}`);
  return { agent, host: (await hosts.find(agent.host)) ?? { id: agent.host, name: agent.host } };
}

/** Why an agent has no window, and what to do about it. */
export function whyWindowless(agent: StoredAgent): string {
  if (agent.standing === 'archived') return 'is archived: restore_agent brings it back';
  if (isBeingDeleted(agent)) return 'is being deleted';
  if (agent.state === 'AGENT_STATE_FAILED_TO_CREATE')
    return 'was never launched: its launch failed, retry_agent carries on';
  if (agent.state === 'AGENT_STATE_SETTING_UP') return 'has no window yet: it is being set up';
  return 'has ended its CLI: restore_agent brings it back';
}

/** An agent as messages name it. */
export function called({ name, id }: Pick<StoredAgent, 'name' | 'id'>): string {
  return `${quoted(name)} (${id})`;
}

/** Where an agent's life stands, such as `settingUp.opening`. */
export function phaseOfAgent({ snapshot }: StoredAgent): string {
  return phaseOf(snapshot.value);
}

/** Whether an agent's CLI is ended for good by now: it is archived, or its deletion has begun to close it. */
export function hasEnded(agent: StoredAgent): boolean {
  const isClosing = isBeingDeleted(agent) && phaseOfAgent(agent) !== 'cleaningUp.inspecting';
  return agent.standing !== 'present' || isClosing;
}

/**
 * Whether an agent may hold tokens. They end for good as soon as it is archived or deleted, and are not good again where that
 * fails: it is given others once it is restored.
 */
export function mayHoldTokens(agent: StoredAgent): boolean {
  return agent.standing === 'present' && !isBeingDeleted(agent) && phaseOfAgent(agent) !== 'failedToCleanup';
}

/** Whether an agent is being deleted. */
export function isBeingDeleted(agent: StoredAgent): boolean {
  return phaseOfAgent(agent).startsWith('cleaningUp');
}
