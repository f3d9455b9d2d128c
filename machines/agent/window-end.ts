import type { ViewedEnding } from '#contract/agent/agent-view.ts';

/** The end of a window: when it was found, and how it came about. An older host does not say how. */
export interface WindowEnd {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether the CLI ended with its terminal, and not on its own. */
  readonly lost: boolean;
  readonly ending?: ViewedEnding | undefined;
}
