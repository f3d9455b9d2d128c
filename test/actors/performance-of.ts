import type { Performance } from '#actors/host/agent/performer.ts';
import type { AgentRecord, PendingEffect } from '#contract/wire/agent-record.ts';

/** A performance of an effect of an agent whose record does not change meanwhile, and which nothing cancels. */
export function performanceOf(record: AgentRecord, effect: PendingEffect): Performance {
  return { record, effect, latest: () => record, signal: new AbortController().signal };
}
