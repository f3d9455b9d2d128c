import { z } from 'zod';
import { HistogramReading } from '#contract/histogram.ts';
import { MachineLoad } from './host-condition.ts';

const counts = z.record(z.string(), z.int());

/** What one process of muster takes of its machine. */
export const ProcessFigures = z.object({
  residentBytes: z.int(),
  cpuSeconds: z.number(),
  /** When it was started, in seconds since 1970. */
  startedAt: z.number(),
  /** The 99th percentile of its event loop’s delay over the last while, in seconds. */
  eventLoopDelay: z.number(),
  /** Errors that nobody handled, since it was started. One of an older muster does not say. */
  unhandledErrors: z.int().default(0),
});
export type ProcessFigures = z.infer<typeof ProcessFigures>;

/** What one process’ connection to the bus counted since it was made. */
export const BusFigures = z.object({
  connected: z.boolean(),
  requests: z.int(),
  /** Requests that were refused or not answered. */
  failures: z.int(),
  /** How long requests took, whatever the result, in seconds. */
  times: HistogramReading,
  reconnects: z.int(),
  /** How often the server or this side said that it does not keep up. */
  slowConsumers: z.int(),
  messagesIn: z.int(),
  messagesOut: z.int(),
  bytesIn: z.int(),
  bytesOut: z.int(),
});
export type BusFigures = z.infer<typeof BusFigures>;

/** What a poller has done since its process started: what is done again and again, such as looking for deadlines. */
export const PollerReading = z.object({
  /** How long passes took, whatever the result, in seconds. */
  passes: HistogramReading,
  /** Passes that failed. */
  faults: z.int(),
});
export type PollerReading = z.infer<typeof PollerReading>;

/** A host's counters, as reported to the registry with each beat. */
export const HostFigures = z.object({
  process: ProcessFigures,
  bus: BusFigures,
  /** How long effects took, by kind, and how many of them failed. */
  effects: z.record(z.string(), z.object({ times: HistogramReading, failures: z.int() })),
  /** How long it took from an event’s decision until it was committed. */
  decisions: HistogramReading,
  /** Agents that have an actor. */
  actors: z.int(),
});
export type HostFigures = z.infer<typeof HostFigures>;

/** What a registry answers that can work: it has read its database and written to it. */
export const RegistryReadiness = z.object({
  /** How many hosts are on line, of those that ever came and are not new. An older registry does not say. */
  hosts: z.object({ online: z.int(), known: z.int() }).optional(),
  /** The installation that it owns the database of. */
  installation: z.string().optional(),
});
export type RegistryReadiness = z.infer<typeof RegistryReadiness>;

/**
 * What the registry counts, as a gateway asks for it. What is counted "since the start" is of the registry's process.
 */
export const RegistryFigures = z.object({
  /** Agents that are not gone. */
  agents: z.array(z.object({ state: z.string(), standing: z.string(), count: z.int() })),
  /**
   * Instances of every other machine, by machine and by state; doorbells that are open, and reviews that are released.
   */
  lives: z.array(z.object({ machine: z.string(), state: z.string(), count: z.int() })),
  /** Runs of workflows’ scripts on record. */
  runs: z.array(z.object({ script: z.string(), state: z.string(), count: z.int() })),
  /** Effects that were asked for and are not done, by kind. */
  effects: counts,
  mailsWaiting: z.int(),
  /** Facts that were recorded since the start, by kind. */
  facts: counts,
  /** Transitions of machines since the start. `from` is empty for a new instance. */
  transitions: z.array(z.object({ machine: z.string(), from: z.string(), to: z.string(), count: z.int() })),
  /** How late firings were taken up, in seconds; each once. */
  lateness: HistogramReading,
  /** Pollers by name. A registry of an older muster does not say. */
  pollers: z.record(z.string(), PollerReading).default({}),
  /**
   * Rows that leased workers are done with, by worker and by how it ended. A registry of an older muster does not say.
   */
  workers: z.record(z.string(), counts).default({}),
  database: z.object({
    bytes: z.int(),
    walBytes: z.int(),
    /** How long reads and writes took, their turn's wait left out, and how long they waited for it, in seconds. */
    reads: HistogramReading,
    writes: HistogramReading,
    waits: HistogramReading,
    /** Pieces of work that wait for their turn. */
    waiting: z.int(),
    /** Pieces of work that the database failed, by SQLite’s own word such as `busy` or `full`. */
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
