import { z } from 'zod';
import { RunState } from '#contract/run-log.ts';

/** A trial as its host knows it; times in milliseconds since 1970. */
const HostTrial = z.object({
  state: RunState,
  startedAt: z.int(),
  endedAt: z.int().optional(),
  directory: z.string(),
  reason: z.string(),
  output: z.string(),
  outputTruncated: z.boolean(),
  cursor: z.string(),
});
export type HostTrial = z.infer<typeof HostTrial>;

/** What the registry asks of a host about trials of setup scripts. */
export const trialCalls = {
  /** Begins to run a setup script in its own worktree, which goes with it. */
  startTrial: {
    verb: 'start-trial',
    request: z.object({
      trialId: z.string(),
      /** The workflow's name, which stands in for an agent's. */
      name: z.string(),
      command: z.string(),
      cwd: z.string(),
      baseBranch: z.string(),
      copyFiles: z.array(z.string()),
      harness: z.string(),
      environment: z.array(z.string()),
    }),
    response: HostTrial,
  },
  /**
   * The trial, with what it wrote after a cursor: at once if there is something, else when there is, within two
   * seconds.
   */
  readTrial: {
    verb: 'read-trial',
    request: z.object({ trialId: z.string(), cursor: z.string() }),
    response: HostTrial,
  },
  stopTrial: { verb: 'stop-trial', request: z.object({ trialId: z.string() }), response: HostTrial },
} as const;
