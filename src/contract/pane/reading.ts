import type { PaneState } from '#contract/agent/agent-state.ts';

/** What was read from a capture, and why. */
export interface Reading {
  readonly state: PaneState;
  /** The id of the rule that decided, such as `claude/permission`; `none` if no rule did. */
  readonly rule: string;
  /** The rows that the rule matched, without attributes. */
  readonly evidence: readonly string[];
  /**
   * The kind of state in a word, such as `permission`, `question`, `draft` or `exited`; empty if the state says it all.
   */
  readonly reason: string;
  /** What the screen adds to the reason, such as when a limit ends; empty if nothing. */
  readonly detail: string;
  /** If its question is answered with a line and Enter: whether that line is secret. Undefined if keys answer it. */
  readonly answer?: 'line' | 'secret';
}

/** The rule for a CLI that has ended, with a shell in its place. */
export const exitedRule = 'pane/exited';

/** The reason with its detail, as shown next to a state: `usage-limit, resets 3pm`. */
export function reasonText({ reason, detail }: Pick<Reading, 'reason' | 'detail'>): string {
  return detail === '' ? reason : `${reason}, ${detail}`;
}

/** A rule that matched or nearly matched, and why it did not decide. */
export interface LostRule {
  readonly rule: string;
  readonly why: string;
}
