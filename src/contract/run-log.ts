import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** Which of its workflow's scripts was run for an agent. */
export const RunScript = enumeration('host.v1.RunScript', [
  'RUN_SCRIPT_UNSPECIFIED',
  'RUN_SCRIPT_SETUP',
  'RUN_SCRIPT_TEARDOWN',
  'RUN_SCRIPT_ON_IDLE',
  'RUN_SCRIPT_ON_WAITING',
]);
export type RunScript = z.infer<typeof RunScript>;

/** How a run of a script stands. */
export const RunState = enumeration('host.v1.RunState', [
  'RUN_STATE_UNSPECIFIED',
  'RUN_STATE_RUNNING',
  'RUN_STATE_SUCCEEDED',
  'RUN_STATE_FAILED',
  'RUN_STATE_CALLED_OFF',
]);
export type RunState = z.infer<typeof RunState>;

/** The most bytes of a run's output that are kept: its last. */
export const outputKept = 1024 * 1024;

/** Stands between how a script failed and the end of what it wrote, in the reason of a step that came to nothing by it. */
export const outputMark = '; its last output:\n';

/** A reason without what a script wrote. */
export function withoutOutput(reason: string): string {
  const at = reason.indexOf(outputMark);
  return at < 0 ? reason : reason.slice(0, at);
}

/** One run of a workflow's script for an agent. Timestamps are RFC 3339 in UTC. */
export const RunLog = message('host.v1.RunLog', {
  id: [1, z.int32()],
  agentId: [2, z.string()],
  hostId: [3, z.string()],
  script: [4, RunScript],
  state: [5, RunState],
  startedAt: [6, z.string()],
  /** Unset while it runs. */
  endedAt: [7, z.string()],
  /** How it ended where it failed: its exit status, the signal that ended it, or the limit that it passed. */
  reason: [8, z.string()],
  /** What it wrote to standard output and standard error, as it came; only its end where outputTruncated is true. */
  output: [9, z.string()],
  outputTruncated: [10, z.boolean()],
  /** When a failure was acknowledged. Unset while it asks to be looked at. */
  acknowledgedAt: [11, z.string()],
});
export type RunLog = z.infer<typeof RunLog>;
