import type { AgentRecord, PendingEffect } from '#contract/wire/agent-record.ts';
import type { AgentEvent, AgentStep } from '#machines/agent/agent-context.ts';

/** What an effect is performed with. */
export interface Performance {
  /** The agent as it stood when the effect came up. */
  readonly record: AgentRecord;
  readonly effect: PendingEffect;
  /** Aborted when the effect is no longer wanted: every process that it has started ends then on its own. */
  readonly signal: AbortSignal;
}

/**
 * Performs one kind of effect. It may be performed again after a crash at any point of it, so it adopts what stands.
 * It returns the event that reports its result, or undefined if there is nothing to report.
 */
export interface Performer {
  /** The step that a failure is reported under; undefined if a failure is only logged. */
  readonly step: AgentStep | undefined;
  /** Whether it is performed beside the effects of the agent's life, which do not wait for it. */
  readonly aside?: true;
  perform(performance: Performance): Promise<AgentEvent | undefined>;
}

/** Performers by effect kind. */
export type Performers = Readonly<Record<string, Performer>>;
