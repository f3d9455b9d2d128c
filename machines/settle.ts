import type { AgentState } from '#contract/agent/agent-state.ts';
import type { Reading } from '#contract/pane/reading.ts';

/** How long a screen must be unchanged before rest after work counts, in milliseconds. */
export const settleMs = 200;

/**
 * Whether a reading counts at once. A question and work count at once. Rest, and an undecided screen,
 * count after another state only once the screen has been unchanged for `settleMs`.
 */
export function settles(shown: AgentState, reading: Pick<Reading, 'state'>, unchangedMs: number): boolean {
  if (reading.state === shown) return true;
  if (reading.state === 'AGENT_STATE_WAITING' || reading.state === 'AGENT_STATE_THINKING') return true;
  return unchangedMs >= settleMs;
}
