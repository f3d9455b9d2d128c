import { z } from 'zod';
import { message } from './message.ts';
import { RunState } from './run-log.ts';

/** A trial run of a workflow's setup script, in a worktree that is removed afterwards. */
export const WorkflowTrial = message('workflow.v1.WorkflowTrial', {
  id: [1, z.string(), 'The id of the trial in other calls: `try_` and a ULID.'],
  workflowId: [2, z.string(), 'The workflow whose setup script is tried.'],
  hostId: [3, z.string(), 'The host it runs on, which other calls take too.'],
  state: [4, RunState, 'Whether it is running, and how it ended. It ends once its worktree is removed.'],
  startedAt: [5, z.string(), 'When it started: RFC 3339, UTC.'],
  endedAt: [6, z.string(), 'When it ended: RFC 3339, UTC. Unset while it runs.'],
  directory: [7, z.string(), 'The path of its worktree. Empty until the worktree exists.'],
  reason: [
    8,
    z.string(),
    'Why it failed: exit status, signal, time limit, or what prevented it. Empty unless it failed.',
  ],
  output: [9, z.string(), 'Standard output and error in order of arrival, from the request’s cursor on.'],
  outputTruncated: [10, z.boolean(), 'Whether `output` lacks its beginning: only its last 1 MiB is kept.'],
  cursor: [11, z.string(), 'Where `output` ends: pass it to get what follows.'],
});
export type WorkflowTrial = z.infer<typeof WorkflowTrial>;
