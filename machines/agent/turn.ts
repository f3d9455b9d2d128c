import type { AgentContext } from './agent-context.ts';

/** The part of an agent’s context that its turns are counted with. */
export type Turn = Pick<AgentContext, 'turns' | 'inTurn' | 'starts'>;

/**
 * The turn of an agent in the state that was just decided: it ends when the agent comes to rest, and not while it asks
 * or a limit of its account has stopped it. None begins while a restored CLI starts.
 */
export function turnOf({ state, turns, inTurn, limit, starts }: AgentContext): Partial<Turn> {
  if (starts === true) return state === 'AGENT_STATE_IDLE' ? { starts: undefined } : {};
  if (state === 'AGENT_STATE_THINKING') return { inTurn: true };
  if (state !== 'AGENT_STATE_IDLE' || inTurn !== true || limit !== undefined) return {};
  return { inTurn: false, turns: turns === undefined ? undefined : turns + 1 };
}

/** Whether an agent has finished a turn between two contexts. */
export function hasFinishedTurn(before: Turn, after: Turn): boolean {
  return after.turns === undefined
    ? before.inTurn === true && after.inTurn === false
    : after.turns > (before.turns ?? 0);
}
