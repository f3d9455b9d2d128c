import { Failure } from '#contract/failure.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';
import { isBeingDeleted } from './agent-standing.ts';
import { describeAgent } from './describe-agent.ts';
import { findAgent } from './find-agent.ts';

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
