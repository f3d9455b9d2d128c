import type { AgentState } from './agent-state.ts';

/** What decides an agent’s place in a list. An unknown time is empty or unset. */
export interface Attention {
  /** Such as `AGENT_STATE_IDLE`, or a state that only a newer service knows. */
  readonly state?: string | undefined;
  /** Whether its pane exists. */
  readonly alive?: boolean | undefined;
  readonly archivedAt?: string | undefined;
  /** The budget that is used up, so that it is held until a person continues it. */
  readonly overBudget?: unknown;
  /** When its state was last known, if its host is lost. */
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
/** States in which an agent is not expected to have a pane. */
const withoutPane: ReadonlySet<string | undefined> = new Set([
  'AGENT_STATE_SETTING_UP',
  'AGENT_STATE_FAILED_TO_CREATE',
  'AGENT_STATE_FAILED_TO_CLEANUP',
]);

/** The rank of an agent in a list for a person, from zero. Those that need the person come first. */
export function rankOf(agent: Attention): number {
  if (agent.archivedAt) return archivedRank;
  if (isEnded(agent)) return endedRank;
  return agent.overBudget == null ? rankOfState(agent.state) : ranks.AGENT_STATE_WAITING;
}

/** The rank by state alone. A state that only a newer service knows ranks as unspecified. */
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

/** The word by which lists show and filter an agent: its state, or that it has ended or is archived. */
export type AgentKind = StateKind | 'ended' | 'archived';

/** Every kind, those that need a person first. */
export const agentKinds: readonly AgentKind[] = [...new Set(kindByState.values()), 'ended', 'archived'];

/** The word by which a list shows an agent. */
export function kindOf(agent: Attention): AgentKind {
  if (agent.archivedAt) return 'archived';
  return isEnded(agent) ? 'ended' : kindOfState(agent.state);
}

/** The kind by state alone. A state that only a newer service knows is uncertain. */
export function kindOfState(state = ''): StateKind {
  return kindByState.get(state) ?? 'uncertain';
}

/** Whether an agent's CLI has ended: it once ran and its pane is gone. Its state is the last one it had. */
export function isEnded({ alive = false, lastKnownAt = '', state }: Attention): boolean {
  return !alive && lastKnownAt === '' && !withoutPane.has(state);
}
