import { z } from 'zod';
import { HistogramReading } from '../histogram.ts';

const counts = z.record(z.string(), z.int());

/** What the registry counts, as a gateway asks for it. What is counted "since the start" is of the registry's process. */
export const RegistryFigures = z.object({
  /** Agents that are not gone. */
  agents: z.array(z.object({ state: z.string(), standing: z.string(), count: z.int() })),
  /** Effects that were asked for and are not done, by kind. */
  effects: counts,
  /** Firings on record, by the state of their machine. */
  firings: counts,
  /** Doorbells that are open, by whether their agent was told. */
  doorbells: z.object({ raised: z.int(), rung: z.int() }),
  mailsWaiting: z.int(),
  /** Facts that were written down since the start, by kind: the moves of every machine are among them. */
  facts: counts,
  database: z.object({
    bytes: z.int(),
    walBytes: z.int(),
    /** How long writes took, their turn's wait left out, in seconds. */
    writes: HistogramReading,
  }),
  process: z.object({ residentBytes: z.int(), cpuSeconds: z.number(), uptimeSeconds: z.number() }),
});
export type RegistryFigures = z.infer<typeof RegistryFigures>;
