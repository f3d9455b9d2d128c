import { getShortestPaths } from 'xstate/graph';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { agentMachine } from '#machines/agent/agent.ts';
import type { AgentContext, AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition, phaseOf } from '#machines/agent/agent-view.ts';
import { type Decision, decide } from '#machines/decide.ts';
import { sampleEvents } from './agent-events.ts';

export const input = { name: 'a', provision: true, scripts: ['setup', 'teardown', 'onIdle', 'onWaiting'] as const };

/** The machine's snapshots by phase, each reached by a shortest path of real events. */
export function reached(): Map<string, StoredSnapshot> {
  const found = new Map<string, StoredSnapshot>();
  const paths = getShortestPaths(agentMachine, {
    input,
    events: [...sampleEvents],
    limit: 20_000,
    serializeState: (snapshot) => JSON.stringify([snapshot.value, viewless(snapshot.context)]),
  });
  for (const { state } of paths) {
    const phase = phaseOf(state.value);
    if (!found.has(phase)) found.set(phase, { value: state.value, context: state.context });
  }
  return found;
}

function viewless({ worktree, paneId, prepared, briefed, failedStep, cleanup }: AgentContext): unknown {
  return [worktree !== undefined, paneId !== undefined, prepared, briefed, failedStep, cleanup];
}

/** The snapshot once these events have come. */
export function stateAfter(snapshot: StoredSnapshot, ...events: readonly AgentEvent[]): StoredSnapshot {
  return events.reduce((known, event) => (decide(agentDefinition, known, event) as Decision).snapshot, snapshot);
}
