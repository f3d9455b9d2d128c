import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin, type Decision, decide } from '#machines/decide.ts';

/** The state of an agent that is stored for a bench: its CLI is at rest or has ended, or the agent is archived. */
export type SeededState = 'live' | 'dormant' | 'archived';

/** The id of the pane that each stored agent has or had. */
export const seededPane = '%1';

/** The history of an agent up to its last event, and that event. */
export interface SeededHistory {
  /**
   * The result of all decisions before `last`: the last snapshot and its effects, every fact, and the pending deadlines.
   */
  readonly soFar: Decision;
  readonly last: AgentEvent;
}

/** The history of an agent that worked in its own worktree and then went idle. */
export function seededHistory(name: string, state: SeededState): SeededHistory {
  const initial = begin(agentDefinition, { name, provision: true, scripts: [] });
  const worked = workOf(name).reduce(apply, initial);
  switch (state) {
    case 'live':
      return { soFar: worked, last: idle };
    case 'dormant':
      return { soFar: apply(worked, idle), last: { type: 'PANE_GONE', reason: 'the CLI has ended', briefed: true } };
    case 'archived':
      return { soFar: [idle, { type: 'ARCHIVE' } as const].reduce(apply, worked), last: { type: 'PANE_CLOSED' } };
  }
}

const idle = { type: 'READING', reading: { state: 'AGENT_STATE_IDLE', reason: '' } } as const;

function workOf(name: string): readonly AgentEvent[] {
  const branch = `muster/${name}`;
  const thinking = { state: 'AGENT_STATE_THINKING', reason: '' } as const;
  return [
    {
      type: 'WORKTREE_READY',
      worktree: {
        repository: '/home/ada/src/.git',
        path: `/home/ada/.local/state/muster/worktrees/${name}`,
        branch,
        baseSha: '0'.repeat(40),
        copied: [],
      },
    },
    { type: 'WINDOW_OPENED', paneId: seededPane },
    { type: 'BRIEFED', reading: thinking },
    {
      type: 'CHECKOUT_READ',
      checkout: {
        branch,
        headSha: '1'.repeat(40),
        repositoryUrl: 'https://example.com/ada/engine',
        sequenceInProgress: false,
      },
      worktreeGone: false,
    },
    { type: 'READING', reading: { state: 'AGENT_STATE_WAITING', reason: 'permission' } },
    { type: 'READING', reading: thinking },
  ];
}

function apply(before: Decision, event: AgentEvent): Decision {
  const next = decide(agentDefinition, before.snapshot, event);
  if (next === undefined) throw new Error(`${event.type} is impossible in the history of a seeded agent`);
  const deadlines = Object.entries({ ...before.deadlines, ...next.deadlines }).filter(([, limit]) => limit !== null);
  return { ...next, facts: [...before.facts, ...next.facts], deadlines: Object.fromEntries(deadlines) };
}
