import { z } from 'zod';
import { harnessVersionPattern } from '#contract/pane/harness-version.ts';

const bytes = z.int().nonnegative();

/** The load of a computer. Values that its system does not report are unset, never guessed. */
export const MachineLoad = z.object({
  /** The load average: programs that ran or waited to run, over the last minute, on all processors together. */
  loadAverage1m: z.number().nonnegative().optional(),
  cpuCount: z.int().positive().optional(),
  /** Memory that is not available to programs. Caches that can be reclaimed do not count. */
  memoryUsedBytes: bytes.optional(),
  memoryTotalBytes: bytes.optional(),
  /** Of the file system of the worktrees, for the user that runs muster. */
  diskFreeBytes: bytes.optional(),
  diskTotalBytes: bytes.optional(),
});
export type MachineLoad = z.infer<typeof MachineLoad>;

/** The address at which agents on a host reach muster, and what was wrong when the host tried it. */
export const GatewayReach = z.object({ url: z.string().max(2_048), fault: z.string().max(1_024).optional() });
export type GatewayReach = z.infer<typeof GatewayReach>;

/** The version of the messages between hosts and registries: higher after a change that older ones cannot read. */
export const hostProtocol = 1;

/** What a host reports about its computer with each beat. */
export const HostCondition = z.object({
  /** The operating system and processor architecture, such as `linux x64`. */
  system: z.string().max(255),
  musterVersion: z.string().max(255),
  /** When the host started, in milliseconds since 1970 by its own clock. */
  startedAt: z.int(),
  load: MachineLoad,
  /** The host's state folder, resolved, in which all worktrees are. Older hosts omit it. */
  stateFolder: z.string().max(4_096).optional(),
  /** The newest CLI versions that its rules were recorded with, by harness. Older hosts omit it. */
  recordedWith: z.record(z.string().max(64), z.string().regex(harnessVersionPattern)).optional().catch(undefined),
  /** Older hosts omit it. */
  gateway: GatewayReach.optional(),
  /** Its time of day when it sent this, in milliseconds since 1970. Older hosts omit it. */
  clock: z.int().optional(),
  /** The version of the messages that it speaks. Older hosts omit it. */
  protocol: z.int().positive().max(1_000_000).optional(),
  /** What is wrong with its tmux, so that it holds panes itself. Unset if tmux holds them, or a person chose that. */
  tmuxFault: z.string().max(1_024).optional(),
  /** Until when its certificate for the bus is valid, in milliseconds since 1970. Unset for one that does not end. */
  certifiedUntil: z.int().optional(),
});
export type HostCondition = z.infer<typeof HostCondition>;
