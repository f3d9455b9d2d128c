import { z } from 'zod';
import { HistogramReading } from '#contract/histogram.ts';
import { MachineLoad } from './host-condition.ts';

const counts = z.record(z.string(), z.int());

/** The resources that one process of muster uses. */
export const ProcessFigures = z.object({
  residentBytes: z.int(),
  cpuSeconds: z.number(),
  /** When it started, in seconds since 1970. */
  startedAt: z.number(),
  /** The 99th percentile of its event loop’s recent delay, in seconds. */
  eventLoopDelay: z.number(),
  /** Unhandled errors since it started. Older versions of muster omit it. */
  unhandledErrors: z.int().default(0),
});
export type ProcessFigures = z.infer<typeof ProcessFigures>;

/** Counters of a process’s connection to the bus since it was opened. */
export const BusFigures = z.object({
  connected: z.boolean(),
  requests: z.int(),
  /** Requests that were refused or not answered. */
  failures: z.int(),
  /** How long requests took, whatever the result, in seconds. */
  times: HistogramReading,
  reconnects: z.int(),
  /** How often the server or this side reported a slow consumer. */
  slowConsumers: z.int(),
  messagesIn: z.int(),
  messagesOut: z.int(),
  bytesIn: z.int(),
  bytesOut: z.int(),
});
export type BusFigures = z.infer<typeof BusFigures>;

/** Counters of a poller, such as the one of deadlines, since its process started. */
export const PollerReading = z.object({
  /** How long its passes took, whatever the result, in seconds. */
  passes: HistogramReading,
  /** Passes that failed. */
  faults: z.int(),
});
export type PollerReading = z.infer<typeof PollerReading>;

/** A host's counters, as reported to the registry with each beat. */
export const HostFigures = z.object({
  process: ProcessFigures,
  bus: BusFigures,
  /** How long effects took in seconds, and how many failed, by kind. */
  effects: z.record(z.string(), z.object({ times: HistogramReading, failures: z.int() })),
  /** The time from the decision of an event to its commit, in seconds. */
  decisions: HistogramReading,
  /** The number of agents with an actor. */
  actors: z.int(),
});
export type HostFigures = z.infer<typeof HostFigures>;

/** A registry by the machine that it runs on, and by its process. */
const RegistryName = z.object({ machine: z.string(), instance: z.string() });
export type RegistryName = z.infer<typeof RegistryName>;

/** The answer of a registry that is ready: it has read and written its database. */
export const RegistryReadiness = z.object({
  /** Which registry it is. Older registries omit it. */
  registry: RegistryName.optional(),
  /** The other registries that share the database. */
  peers: z.array(RegistryName).default([]),
  /** How many hosts are online, and how many admitted hosts there are. Older registries omit it. */
  hosts: z.object({ online: z.int(), known: z.int() }).optional(),
  /** Whether scheduled backups are made, and when the last one was; undefined if there are none. Older registries omit it. */
  backups: z.object({ ok: z.boolean(), lastTakenAt: z.string().optional(), why: z.string().optional() }).optional(),
  /** The installation whose database it owns. */
  installation: z.string().optional(),
});
export type RegistryReadiness = z.infer<typeof RegistryReadiness>;

/** The counters of the registry, which gateways request. "Since the start" means the start of its process. */
export const RegistryFigures = z.object({
  /** Which registry it is. Older registries omit it. */
  registry: RegistryName.optional(),
  /** The instances of the other registries that share the database. */
  peers: z.array(z.string()).default([]),
  /** Agents that are not gone. */
  agents: z.array(z.object({ state: z.string(), standing: z.string(), count: z.int() })),
  /**
   * Instances of every other machine, by machine and state. Of doorbells only open ones, of reviews only released ones.
   */
  lives: z.array(z.object({ machine: z.string(), state: z.string(), count: z.int() })),
  /** Runs of workflows’ scripts on record. */
  runs: z.array(z.object({ script: z.string(), state: z.string(), count: z.int() })),
  /** Requested effects that are not done yet, by kind. */
  effects: counts,
  mailsWaiting: z.int(),
  /** When the last scheduled backup was made, in seconds since 1970; undefined if none was. */
  lastBackupAt: z.number().optional(),
  /** Facts that were recorded since the start, by kind. */
  facts: counts,
  /** Transitions of machines since the start. `from` is empty for a new instance. */
  transitions: z.array(z.object({ machine: z.string(), from: z.string(), to: z.string(), count: z.int() })),
  /** How late each firing was started, in seconds. */
  lateness: HistogramReading,
  /** Pollers by name. Older registries omit it. */
  pollers: z.record(z.string(), PollerReading).default({}),
  /** Rows that leased workers finished, by worker and result. Older registries omit it. */
  workers: z.record(z.string(), counts).default({}),
  database: z.object({
    bytes: z.int(),
    walBytes: z.int(),
    /** How long reads and writes took, in seconds, without the wait for their turn, which `waits` has. */
    reads: HistogramReading,
    writes: HistogramReading,
    waits: HistogramReading,
    /** Reads and writes that wait for their turn now. */
    waiting: z.int(),
    /** Reads and writes that failed in the database, by SQLite’s name of the error, such as `busy` or `full`. */
    failures: counts,
  }),
  process: ProcessFigures,
  bus: BusFigures,
  hosts: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      online: z.boolean(),
      agents: z.int(),
      load: MachineLoad.optional(),
      /** Undefined until its first beat since the registry started. */
      figures: HostFigures.optional(),
    }),
  ),
});
export type RegistryFigures = z.infer<typeof RegistryFigures>;
