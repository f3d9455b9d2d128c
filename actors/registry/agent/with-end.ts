import type { Agent } from '#contract/agent/agent.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import { timeOf } from './agent-resource.ts';

/**
 * An agent as a repeat of the call that launched it is answered. One that was deleted is shown as it was last, and says
 * that it is gone: `archivedAt` is set, `alive` is false, and `stateReason` says when. One being deleted is still
 * there, and says so.
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
