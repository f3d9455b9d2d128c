import { phaseOf } from '#machines/agent/agent-view.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** The state of an agent's machine, such as `settingUp.opening`. */
export function phaseOfAgent({ snapshot }: StoredAgent): string {
  return phaseOf(snapshot.value);
}

/** Whether an agent is being deleted. */
export function isBeingDeleted(agent: StoredAgent): boolean {
  return phaseOfAgent(agent).startsWith('cleaningUp');
}

/** Whether an agent's CLI has ended for good: the agent is archived, or its deletion has begun to close it. */
export function hasEnded(agent: StoredAgent): boolean {
  const isClosing = isBeingDeleted(agent) && phaseOfAgent(agent) !== 'cleaningUp.inspecting';
  return agent.standing !== 'present' || isClosing;
}

/**
 * Whether an agent's tokens have ended for good: it gets new ones when it is restored. While a deletion checks for work
 * that would be lost, the tokens are refused, but they become valid again if the deletion is refused.
 */
export function haveTokensEnded(agent: StoredAgent): boolean {
  return hasEnded(agent) || phaseOfAgent(agent) === 'failedToCleanup';
}

/** Whether an agent may hold and use tokens. It may not once it is archived or deleted. */
export function mayHoldTokens(agent: StoredAgent): boolean {
  return !haveTokensEnded(agent) && !isBeingDeleted(agent);
}
