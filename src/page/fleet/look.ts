import { type Agent, AgentState } from '#page/client/agent/v1/agent_pb.js';

/** How an agent is shown: what it is at, or why nobody waits for it. */
export type LookKind = 'waiting' | 'failed' | 'uncertain' | 'idle' | 'thinking' | 'setting-up' | 'dormant' | 'archived';

export interface Look {
  readonly kind: LookKind;
  readonly word: string;
  /** Place in a list: what needs a person comes first. */
  readonly rank: number;
}

const waiting: Look = { kind: 'waiting', word: 'Waiting', rank: 0 };
const uncertain: Look = { kind: 'uncertain', word: 'Uncertain', rank: 2 };
const dormant: Look = { kind: 'dormant', word: 'Dormant', rank: 6 };
const archived: Look = { kind: 'archived', word: 'Archived', rank: 7 };

const looks: Readonly<Record<AgentState, Look>> = {
  [AgentState.WAITING]: waiting,
  [AgentState.FAILED_TO_CREATE]: { kind: 'failed', word: 'Launch failed', rank: 1 },
  [AgentState.FAILED_TO_CLEANUP]: { kind: 'failed', word: 'Clean-up failed', rank: 1 },
  [AgentState.UNCERTAIN]: uncertain,
  [AgentState.UNSPECIFIED]: uncertain,
  [AgentState.IDLE]: { kind: 'idle', word: 'Idle', rank: 3 },
  [AgentState.THINKING]: { kind: 'thinking', word: 'Thinking', rank: 4 },
  [AgentState.SETTING_UP]: { kind: 'setting-up', word: 'Setting up', rank: 5 },
};
const withoutPane: ReadonlySet<AgentState> = new Set([
  AgentState.SETTING_UP,
  AgentState.FAILED_TO_CREATE,
  AgentState.FAILED_TO_CLEANUP,
]);

/** How an agent is shown. A state that only a newer service knows is shown as one that nothing is known of. */
export function lookOf({ state, alive, archivedAt, lastKnownAt }: Agent): Look {
  if (archivedAt !== '') return archived;
  if (!alive && lastKnownAt === '' && !withoutPane.has(state)) return dormant;
  return looks[state] ?? uncertain;
}

/** How a state is shown that an agent was in. */
export function lookOfState(state: AgentState): Look {
  return looks[state] ?? uncertain;
}
