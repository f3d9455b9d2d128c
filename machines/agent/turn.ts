import type { AgentContext } from './agent-context.ts';

/** The part of an agent’s context that its turns are counted with. */
export type Turn = Pick<AgentContext, 'turns' | 'inTurn'>;

/**
 * The turn of an agent in the state that was just decided: it ends when the agent comes to rest, and not while it asks
 * or a limit of its account has stopped it.
 */
export function turnOf({ state, turns, inTurn, limit }: AgentContext): Partial<Turn> {
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
