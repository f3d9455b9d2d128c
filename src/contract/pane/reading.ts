import type { PaneState } from '#contract/agent/agent-state.ts';

/** What a capture was read as, and why. */
export interface Reading {
  readonly state: PaneState;
  /** The id of the rule that decided, such as `claude/permission`; `none` if no rule did. */
  readonly rule: string;
  /** The rows that the rule matched, as they are on the screen without attributes. */
  readonly evidence: readonly string[];
  /**
   * A short word for the kind of state: `permission`, `question`, `draft`, `exited`, …; empty if there is nothing to
   * add.
   */
  readonly reason: string;
  /** What is on the screen of the reason, such as when a limit ends; empty if there is nothing. */
  readonly detail: string;
  /**
   * Of a question that is answered by a line and Enter: whether the line may be seen. Undefined for what keys answer.
   */
  readonly answer?: 'line' | 'secret';
}

/** The rule that decides that a CLI has ended and a shell runs in its place. */
export const exitedRule = 'pane/exited';

/** The reason with its detail, as it is shown beside a state: `usage-limit, resets 3pm`. */
export function reasonText({ reason, detail }: Pick<Reading, 'reason' | 'detail'>): string {
  return detail === '' ? reason : `${reason}, ${detail}`;
}

/** A rule that matched or nearly matched and did not decide, and why it lost. */
export interface LostRule {
  readonly rule: string;
  readonly why: string;
}
