import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin, type Decision, decide } from '#machines/decide.ts';

/** The state of an agent that is stored for a bench: its CLI is at rest or has ended, or the agent is archived. */
export type Rest = 'live' | 'dormant' | 'archived';

/** The pane that each of them has or had. */
export const seededPane = '%1';

/** A life that has but its last event before it. */
export interface SeededLife {
  /**
   * What the decisions until now came to: the last snapshot and its effects, every fact on the way, the deadlines that
   * stand.
   */
  readonly soFar: Decision;
  readonly last: AgentEvent;
}

/** The life of an agent that worked in a worktree of its own and then came to rest. */
export function seededLife(name: string, rest: Rest): SeededLife {
  const born = begin(agentDefinition, { name, provision: true, scripts: [] });
  const worked = workOf(name).reduce(lived, born);
  switch (rest) {
    case 'live':
      return { soFar: worked, last: idle };
    case 'dormant':
      return { soFar: lived(worked, idle), last: { type: 'PANE_GONE', reason: 'the CLI has ended', briefed: true } };
    case 'archived':
      return { soFar: [idle, { type: 'ARCHIVE' } as const].reduce(lived, worked), last: { type: 'PANE_CLOSED' } };
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

function lived(before: Decision, event: AgentEvent): Decision {
  const next = decide(agentDefinition, before.snapshot, event);
  if (next === undefined) throw new Error(`${event.type} makes no sense in the life of a seeded agent`);
  const deadlines = Object.entries({ ...before.deadlines, ...next.deadlines }).filter(([, limit]) => limit !== null);
  return { ...next, facts: [...before.facts, ...next.facts], deadlines: Object.fromEntries(deadlines) };
}
