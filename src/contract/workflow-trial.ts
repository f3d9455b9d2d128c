import { z } from 'zod';
import { message } from './message.ts';
import { RunState } from './run-log.ts';

/**
 * A run of a workflow's setup script in a worktree that is made for it and removed after it. Timestamps are RFC 3339 in
 * UTC.
 */
export const WorkflowTrial = message('workflow.v1.WorkflowTrial', {
  id: [1, z.string(), 'Names the trial in other calls: `try_` and a ULID.'],
  workflowId: [2, z.string(), 'The workflow whose setup script is tried.'],
  hostId: [3, z.string(), 'The host it runs on, which the other calls name too.'],
  state: [4, RunState, 'Whether it runs, and how it ended. It ends once its worktree is removed.'],
  startedAt: [5, z.string(), 'When it began: RFC 3339, UTC.'],
  endedAt: [6, z.string(), 'When it ended: RFC 3339, UTC. Unset while it runs.'],
  directory: [7, z.string(), 'Its worktree. Empty until that is made.'],
  reason: [8, z.string(), 'How it ended, if not well: exit status, signal, time limit, or what was in the way.'],
  output: [9, z.string(), 'Standard output and error as they came, from the cursor of the request on.'],
  outputTruncated: [10, z.boolean(), 'Whether `output` lacks its beginning: 1 MiB of a trial is kept.'],
  cursor: [11, z.string(), 'Where `output` ends: pass it to get what comes next.'],
});
export type WorkflowTrial = z.infer<typeof WorkflowTrial>;
