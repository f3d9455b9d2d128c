import { phaseOfAgent } from '#actors/registry/agent/agent-standing.ts';
import type { AgentView } from '#contract/agent/agent-view.ts';
import { isAnswerable } from '#machines/agent/agent-view.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** What decides whether rules may answer an agent: of its row, or of its view. */
interface Asking extends Pick<AgentView, 'alive' | 'state' | 'phase'> {
  readonly heldAt: unknown;
  readonly overBudget?: unknown;
  readonly park?: unknown;
}

/** Whether rules may answer an agent's question now. */
export function mayAnswer(agent: StoredAgent): boolean {
  return agent.standing === 'present' && isAsking({ ...agent, phase: phaseOfAgent(agent) });
}

/** Whether rules may answer what an agent asks by its view, at once or as soon as its screen shows it. */
export function mayAnswerView(view: AgentView): boolean {
  return isAsking(view.asksUnseen ? { ...view, state: 'AGENT_STATE_WAITING' } : view);
}

function isAsking({ alive, heldAt, overBudget, park, state, phase }: Asking): boolean {
  const isFree = alive && heldAt == null && overBudget == null && park == null;
  return isFree && state === 'AGENT_STATE_WAITING' && isAnswerable(phase);
}
