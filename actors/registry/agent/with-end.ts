import type { Agent } from '#contract/agent/agent.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import { timeOf } from './agent-resource.ts';

/**
 * An agent as a call shows it that may come after its end: the repeat of its launch, or of its deletion. A deleted
 * agent keeps its last state, is not alive, and `stateReason` says when it was deleted. Whether an agent that was
 * abandoned with its host is alive is unknown.
 */
export function withEnd(agent: Agent, { standing, abandoned, goneAt, updatedAt }: StoredAgent): Agent {
  if (standing !== 'gone') return agent;
  if (abandoned) {
    const { alive: _, ...last } = agent;
    const at = timeOf(goneAt ?? updatedAt);
    return {
      ...last,
      stateReason: `abandoned with its host at ${at}: what ran there may still run, and this is its last known record`,
    };
  }
  const stateReason = `deleted at ${timeOf(goneAt ?? updatedAt)}: nothing of it is running; this is its last record`;
  return { ...agent, alive: false, paneId: undefined, waitingFor: '', stateReason };
}
