import { z } from 'zod';
import { Grants, Runtime } from '#contract/host/isolation.ts';
import { RunState } from '#contract/run-log.ts';
import { HostProfile } from './host-profile.ts';

/** A trial on its host. Times are in milliseconds since 1970. */
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

/** The calls of the registry to a host for trials of setup scripts. */
export const trialCalls = {
  /** Starts a setup script in a worktree of its own, which is removed with the trial. */
  startTrial: {
    verb: 'start-trial',
    request: z.object({
      trialId: z.string(),
      /** The workflow's name, used in place of an agent's. */
      name: z.string(),
      command: z.string(),
      cwd: z.string(),
      baseBranch: z.string(),
      copyFiles: z.array(z.string()),
      harness: z.string(),
      environment: z.array(z.string()),
      isolation: Runtime.optional(),
      grants: Grants.optional(),
      /** The workflow's profile, with the values that the registry stores. */
      profile: HostProfile.optional(),
    }),
    response: HostTrial,
  },
  /** The trial with its output after a cursor. Waits up to two seconds if there is none yet. */
  readTrial: {
    verb: 'read-trial',
    request: z.object({ trialId: z.string(), cursor: z.string() }),
    response: HostTrial,
  },
  /** Whether the agents of a workflow can run in a sandbox: tried by a probe. */
  trySandbox: {
    verb: 'try-sandbox',
    request: z.object({ path: z.string(), harness: z.string(), environment: z.array(z.string()) }),
    response: z.object({
      /** Why they cannot, as the end of a sentence, and what to do about it. */
      fault: z.string().max(2_000).optional(),
    }),
  },
  stopTrial: { verb: 'stop-trial', request: z.object({ trialId: z.string() }), response: HostTrial },
} as const;
