import { z } from 'zod';
import { harnessVersionPattern } from '#contract/pane/harness-version.ts';

const bytes = z.int().nonnegative();

/** How loaded a machine is. What its system does not report is left out, never guessed. */
export const MachineLoad = z.object({
  /** Programs that ran or waited to run, on average over the last minute, on all processors together. */
  loadAverage1m: z.number().nonnegative().optional(),
  cpuCount: z.int().positive().optional(),
  /** What cannot be given to a program that asks for it: caches that would make room are not in it. */
  memoryUsedBytes: bytes.optional(),
  memoryTotalBytes: bytes.optional(),
  /** Of the file system that worktrees are on, for the user that muster runs as. */
  diskFreeBytes: bytes.optional(),
  diskTotalBytes: bytes.optional(),
});
export type MachineLoad = z.infer<typeof MachineLoad>;

/** The address at which agents on a host reach muster, and what is wrong with it, as tried on that host. */
export const GatewayReach = z.object({ url: z.string().max(2_048), fault: z.string().max(1_024).optional() });
export type GatewayReach = z.infer<typeof GatewayReach>;

/** What a host reports about its machine with each beat. */
export const HostCondition = z.object({
  /** The system and the kind of processor, such as `linux x64`. */
  system: z.string().max(255),
  musterVersion: z.string().max(255),
  /** When the host was started, in milliseconds since 1970 by its own clock. */
  startedAt: z.int(),
  load: MachineLoad,
  /** Where the host keeps what is its own, such as every agent's worktree; resolved. Hosts of before leave it out. */
  stateFolder: z.string().max(4_096).optional(),
  /** Newest versions that its rules were recorded with, by the harness; hosts of before leave it out. */
  recordedWith: z.record(z.string().max(64), z.string().regex(harnessVersionPattern)).optional().catch(undefined),
  /** Hosts of before do not try it. */
  gateway: GatewayReach.optional(),
});
export type HostCondition = z.infer<typeof HostCondition>;
