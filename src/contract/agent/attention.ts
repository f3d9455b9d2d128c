import type { AgentState } from './agent-state.ts';

/** What an agent’s place in a list depends on. A moment that is not known is empty or unset. */
export interface Attention {
  /** For example `AGENT_STATE_IDLE`, or one that only a newer service knows. */
  readonly state?: string | undefined;
  /** Whether its pane is there. */
  readonly alive?: boolean | undefined;
  readonly archivedAt?: string | undefined;
  /** When it was last seen, where its host is lost. */
  readonly lastKnownAt?: string | undefined;
}

const ranks = {
  AGENT_STATE_WAITING: 0,
  AGENT_STATE_FAILED_TO_CREATE: 1,
  AGENT_STATE_FAILED_TO_CLEANUP: 1,
  AGENT_STATE_UNCERTAIN: 2,
  AGENT_STATE_UNSPECIFIED: 2,
  AGENT_STATE_IDLE: 3,
  AGENT_STATE_THINKING: 4,
  AGENT_STATE_SETTING_UP: 5,
} as const satisfies Readonly<Record<AgentState, number>>;
const rankByState: ReadonlyMap<string, number> = new Map(Object.entries(ranks));
const [endedRank, archivedRank] = [6, 7];
/** States in which an agent has no pane yet, or none any more that it should have. */
const withoutPane: ReadonlySet<string | undefined> = new Set([
  'AGENT_STATE_SETTING_UP',
  'AGENT_STATE_FAILED_TO_CREATE',
  'AGENT_STATE_FAILED_TO_CLEANUP',
]);

/** Place of an agent in a list for a person, from zero: what needs them comes first, what nobody waits for last. */
export function rankOf(agent: Attention): number {
  if (agent.archivedAt) return archivedRank;
  return isEnded(agent) ? endedRank : rankOfState(agent.state);
}

/** Place of an agent by its state alone. One that only a newer service knows counts as one that nothing is known of. */
function rankOfState(state = ''): number {
  return rankByState.get(state) ?? ranks.AGENT_STATE_UNSPECIFIED;
}

const kinds = {
  AGENT_STATE_WAITING: 'waiting',
  AGENT_STATE_FAILED_TO_CREATE: 'failed',
  AGENT_STATE_FAILED_TO_CLEANUP: 'failed',
  AGENT_STATE_UNCERTAIN: 'uncertain',
  AGENT_STATE_UNSPECIFIED: 'uncertain',
  AGENT_STATE_IDLE: 'idle',
  AGENT_STATE_THINKING: 'thinking',
  AGENT_STATE_SETTING_UP: 'setting-up',
} as const satisfies Readonly<Record<AgentState, string>>;
const kindByState: ReadonlyMap<string, StateKind> = new Map(Object.entries(kinds));
type StateKind = (typeof kinds)[AgentState];

/** What lists call agents by, and filter them by: their state, or why nobody waits for them. */
export type AgentKind = StateKind | 'ended' | 'archived';

/** Every kind, those that need a person first. */
export const agentKinds: readonly AgentKind[] = [...new Set(kindByState.values()), 'ended', 'archived'];

/** What a list calls an agent by. */
export function kindOf(agent: Attention): AgentKind {
  if (agent.archivedAt) return 'archived';
  return isEnded(agent) ? 'ended' : kindOfState(agent.state);
}

/** The kind of a state alone. One that only a newer service knows is uncertain. */
export function kindOfState(state = ''): StateKind {
  return kindByState.get(state) ?? 'uncertain';
}

/** Whether an agent once ran and its pane is gone: its CLI has ended, and its state is the last that it had. */
export function isEnded({ alive = false, lastKnownAt = '', state }: Attention): boolean {
  return !alive && lastKnownAt === '' && !withoutPane.has(state);
}
