import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** Which of the workflow's scripts ran. */
export const RunScript = enumeration('host.v1.RunScript', {
  RUN_SCRIPT_UNSPECIFIED: 'Not known; never sent.',
  RUN_SCRIPT_SETUP: 'The setup script, in a new worktree.',
  RUN_SCRIPT_TEARDOWN: 'The teardown script, before the worktree is removed.',
  RUN_SCRIPT_ON_IDLE: 'The script for when the agent becomes idle.',
  RUN_SCRIPT_ON_WAITING: 'The script for when the agent starts to wait for a person.',
});
export type RunScript = z.infer<typeof RunScript>;

/** The state of a script's run. */
export const RunState = enumeration('host.v1.RunState', {
  RUN_STATE_UNSPECIFIED: 'No state; never sent.',
  RUN_STATE_RUNNING: 'It has not ended yet.',
  RUN_STATE_SUCCEEDED: 'It ended with status 0.',
  RUN_STATE_FAILED: 'It ended with another status or a signal, or exceeded its time limit.',
  RUN_STATE_CALLED_OFF: 'It was cancelled before it ended.',
});
export type RunState = z.infer<typeof RunState>;

/** How many bytes of a run's output are kept: its last. */
export const outputKept = 1024 * 1024;

/** One run of a workflow's script for an agent. Timestamps are RFC 3339 in UTC. */
export const RunLog = message('host.v1.RunLog', {
  id: [1, z.int32(), 'The id of the run, as get_run_log takes it. Newer runs have higher numbers.'],
  agentId: [2, z.string(), 'The agent it ran for.'],
  hostId: [3, z.string(), 'The host it ran on.'],
  script: [4, RunScript, 'Which script of the workflow ran.'],
  state: [5, RunState, 'Whether it is running, and how it ended.'],
  startedAt: [6, z.string(), 'When it started: RFC 3339, UTC.'],
  endedAt: [7, z.string(), 'When it ended: RFC 3339, UTC. Unset while it runs.'],
  reason: [8, z.string(), 'How it failed: exit status, signal or time limit. Empty unless it failed.'],
  output: [
    9,
    z.string(),
    'Standard output and error in order of arrival; only their end if `outputTruncated` is true.',
  ],
  outputTruncated: [10, z.boolean(), 'Whether `output` lacks its beginning: only its last 1 MiB is kept.'],
  acknowledgedAt: [11, z.string(), 'When a person acknowledged the failure: RFC 3339, UTC. Unset until then.'],
  errorLine: [12, z.string(), 'The line of `output` that best explains the failure. Unset unless it failed.'],
});
export type RunLog = z.infer<typeof RunLog>;
