import { z } from 'zod';

/** What a registry announces of itself to gateways. */
export const RegistryPresence = z.object({
  installation: z.string(),
  /** Identifies the process. */
  instance: z.string(),
  /** The time by its own clock, in milliseconds, which never steps. */
  now: z.number(),
  /** The public key that requests to it are sealed to. */
  sealKey: z.string(),
  /** Whether it is about to stop. */
  isLeaving: z.literal(true).optional(),
});
export type RegistryPresence = z.infer<typeof RegistryPresence>;
