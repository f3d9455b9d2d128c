import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { AgentState } from '#contract/agent/agent-state.ts';
import type { Style } from './color.ts';
import { ago } from './duration.ts';
import { shortName } from './words.ts';

interface StateLook {
  /** Place in a list for a person: what needs them comes first. */
  readonly rank: number;
  readonly style: Style;
}

const looks: Readonly<Record<AgentState, StateLook>> = {
  AGENT_STATE_WAITING: { rank: 0, style: ['yellow', 'bold'] },
  AGENT_STATE_FAILED_TO_CREATE: { rank: 1, style: 'red' },
  AGENT_STATE_FAILED_TO_CLEANUP: { rank: 1, style: 'red' },
  AGENT_STATE_UNCERTAIN: { rank: 2, style: 'magenta' },
  AGENT_STATE_UNSPECIFIED: { rank: 2, style: 'magenta' },
  AGENT_STATE_IDLE: { rank: 3, style: 'green' },
  AGENT_STATE_THINKING: { rank: 4, style: 'cyan' },
  AGENT_STATE_SETTING_UP: { rank: 5, style: 'blue' },
};
/** Agents that nobody waits for: dormant and archived ones. */
const restRank = 6;

/** How an agent's state is shown; a state that only a newer service knows, as one that nothing is known of. */
export function lookOf({ state = 'AGENT_STATE_UNSPECIFIED' }: Agent): StateLook {
  const known: StateLook | undefined = looks[state];
  return known ?? looks.AGENT_STATE_UNSPECIFIED;
}

/** A reason of at most so many characters is a word or two, and stands beside the state. */
const briefMost = 24;

/**
 * The state and what a person should know beside it, such as `WAITING (permission)`; with the time, also since when the agent
 * has not come to its doorbell.
 */
export function stateText(row: AgentRow, now?: number): string {
  const { agent = {}, unreadMail, unreadMailCount } = row;
  const word = shortName(agent.state ?? 'UNKNOWN');
  const notes = [
    agent.lastKnownAt && lastKnownText(agent.lastKnownAt, now),
    briefReason(agent),
    agent.heldAt && 'held',
    agent.archivedAt ? 'archived' : isDormant(agent) && 'dormant',
    unreadMail && (unreadMailCount ? `mail ${unreadMailCount}` : 'mail'),
    now !== undefined && row.doorbellRungAt && `called ${ago(row.doorbellRungAt, now)} ago`,
    agent.failedRun && 'a script failed',
  ].filter(Boolean);
  return notes.length > 0 ? `${word} (${notes.join(', ')})` : word;
}

/** Since when the state is only the last one that is known. */
function lastKnownText(at: string, now: number | undefined): string {
  return now === undefined ? 'last known' : `last known ${ago(at, now)} ago`;
}

/** The first line of the reason, where it is a word or two; else empty. */
function briefReason({ stateReason = '' }: Agent): string {
  const [first = ''] = stateReason.split('\n');
  return first.length <= briefMost ? first : '';
}

/** Those lines of the reason that do not stand beside the state, such as why a launch failed. */
export function reasonBelow(agent: Agent): readonly string[] {
  const lines = (agent.stateReason ?? '')
    .trimEnd()
    .replace(/; its last output:$/, '; it wrote nothing')
    .split('\n');
  return briefReason(agent) === lines[0] ? lines.slice(1) : lines;
}

/** Place of an agent in a list for a person. */
export function rankOf(agent: Agent): number {
  return agent.archivedAt || isDormant(agent) ? restRank : lookOf(agent).rank;
}

/** Whether the agent once ran and its pane is gone. */
function isDormant({ alive, lastKnownAt, state }: Agent): boolean {
  return !alive && !lastKnownAt && (state === undefined || !/SETTING_UP|FAILED/.test(state));
}
