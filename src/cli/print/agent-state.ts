import type { Agent, AgentFault } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { AgentState } from '#contract/agent/agent-state.ts';
import { isEnded } from '#contract/agent/attention.ts';
import type { Style } from './color.ts';
import { ago } from './duration.ts';
import { parkText } from './park-text.ts';
import { inWords, shortName } from './words.ts';

const styles: Readonly<Record<AgentState, Style>> = {
  AGENT_STATE_WAITING: ['yellow', 'bold'],
  AGENT_STATE_FAILED_TO_CREATE: 'red',
  AGENT_STATE_FAILED_TO_CLEANUP: 'red',
  AGENT_STATE_UNCERTAIN: 'magenta',
  AGENT_STATE_UNSPECIFIED: 'magenta',
  AGENT_STATE_IDLE: 'green',
  AGENT_STATE_THINKING: 'cyan',
  AGENT_STATE_SETTING_UP: 'blue',
};

/**
 * The colour of an agent's state: dimmed if it needs no attention, or is only the last known one. A state that only a
 * newer service knows is coloured as an unknown one.
 */
export function stateStyle(agent: Agent): Style {
  if (agent.archivedAt || agent.lastKnownAt || isEnded(agent)) return 'dim';
  const known: Style | undefined = styles[agent.state ?? 'AGENT_STATE_UNSPECIFIED'];
  return known ?? styles.AGENT_STATE_UNSPECIFIED;
}

/** The maximum length of a reason that is shown next to the state, in characters. */
const maxBriefLength = 24;

/**
 * The state with what else a person should know, such as `WAITING (permission)`. Given the time, also how long the
 * agent's doorbell has been unanswered.
 */
export function stateText(row: AgentRow, now?: number): string {
  const { agent = {}, unreadMail, unreadMailCount } = row;
  const last = shortName(agent.state ?? 'UNKNOWN');
  const hasEnded = !agent.archivedAt && isEnded(agent);
  const word = hasEnded ? 'ENDED' : last;
  const notes = [
    hasEnded && `was ${last}`,
    agent.windowLost && 'window lost',
    agent.hostRemovedAt && 'host removed',
    agent.lastKnownAt && lastKnownText(agent.lastKnownAt, now),
    briefReason(agent),
    agent.queued && 'queued',
    agent.heldAt && 'held',
    agent.overBudget && 'over budget',
    agent.park && (now === undefined ? 'parked' : parkText(agent.park, now)),
    agent.archivedAt && 'archived',
    unreadMail && (unreadMailCount ? `mail ${unreadMailCount}` : 'mail'),
    now !== undefined && row.doorbellRungAt && `notified ${ago(row.doorbellRungAt, now)} ago`,
    agent.failedRun && 'a script failed',
  ].filter(Boolean);
  return notes.length > 0 ? `${word} (${notes.join(', ')})` : word;
}

/** Since when the state is only the last known one. */
function lastKnownText(at: string, now: number | undefined): string {
  return now === undefined ? 'last known' : `last known ${ago(at, now)} ago`;
}

/** The first line of the reason if it is short; else empty. */
function briefReason({ stateReason = '' }: Agent): string {
  const [first = ''] = stateReason.split('\n');
  return first.length <= maxBriefLength ? first : '';
}

/** The lines of the reason that are not shown next to the state, such as why a launch failed. */
export function reasonBelow(agent: Agent): readonly string[] {
  if (agent.fault?.summary) return wholeFault(agent.fault);
  const lines = (agent.stateReason ?? '').trimEnd().split('\n');
  return briefReason(agent) === lines[0] ? lines.slice(1) : lines;
}

/** That a deletion was refused, why, and what to do; empty if none was. */
export function notDeleted({ refusedDeletion }: Agent): string {
  return refusedDeletion ? `not deleted: ${inWords(refusedDeletion)}` : '';
}

function wholeFault({ summary, output = '' }: AgentFault): readonly string[] {
  if (output.trim() === '') return [`${summary}; it wrote nothing`];
  return [`${summary}; it wrote last:`, ...output.trimEnd().split('\n')];
}

/** The failed step, and the line that best explains it. */
export function faultLine({ summary = '', errorLine = '' }: AgentFault): string {
  return [summary, errorLine].filter(Boolean).join(': ');
}
