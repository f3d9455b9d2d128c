import { z } from 'zod';

/** A secret of a profile as its host gets it. Exactly one source is set. */
export const HostSecret = z.object({
  variable: z.string(),
  env: z.string().optional(),
  file: z.string().optional(),
  command: z.array(z.string()).optional(),
  value: z.string().optional(),
});
export type HostSecret = z.infer<typeof HostSecret>;

/** A profile as the host of an agent gets it. */
export const HostProfile = z.object({
  name: z.string(),
  /** Each as `NAME=value`. */
  environment: z.array(z.string()),
  secrets: z.array(HostSecret),
  /** The folder of the CLI; empty if it is the usual one. */
  home: z.string(),
});
export type HostProfile = z.infer<typeof HostProfile>;
