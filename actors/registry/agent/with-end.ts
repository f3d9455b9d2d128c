import type { Agent } from '#contract/agent/agent.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import { timeOf } from './agent-resource.ts';

/**
 * The answer to a repeat of the call that launched an agent. A deleted agent is shown in its last state, marked as
 * gone: `archivedAt` is set, `alive` is false, and `stateReason` says when. While it is being deleted it is still
 * there, and `stateReason` says that it is being deleted.
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
