import type { AgentRecord, PendingEffect } from '#contract/wire/agent-record.ts';
import type { AgentEvent, AgentStep } from '#machines/agent/agent-context.ts';

/** The input of a performer. */
export interface Performance {
  /** The agent's record when the effect began. */
  readonly record: AgentRecord;
  readonly effect: PendingEffect;
  /** The agent's record as it is now. */
  readonly latest: () => AgentRecord;
  /** Aborted when the effect is cancelled; this also ends every process that it has started. */
  readonly signal: AbortSignal;
}

/**
 * Performs one kind of effect. After a crash at any point it may be performed again, so it adopts what exists. It
 * returns the event that reports its result, or undefined if there is nothing to report.
 */
export interface Performer {
  /** The step that a failure is reported under; undefined if a failure is only logged. */
  readonly step: AgentStep | undefined;
  /** Whether it runs in the background lane, so that the other effects of the agent do not wait for it. */
  readonly inBackground?: true;
  perform(performance: Performance): Promise<AgentEvent | undefined>;
}

/** Performers by effect kind. */
export type Performers = Readonly<Record<string, Performer>>;
