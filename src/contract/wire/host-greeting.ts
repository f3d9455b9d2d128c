import { z } from 'zod';

/**
 * What a host says to begin a session: its own public key, the one that it made for this session, and the installation that it
 * belongs to, once it knows.
 */
export const Hello = z.object({
  hostKey: z.string().max(64),
  hostMoment: z.string().max(64),
  installation: z.string().max(64).optional(),
});
export type Hello = z.infer<typeof Hello>;

/** The first word that a host says in a session: up to which cursor it has read what moved of its agents. */
export const Here = z.object({ cursor: z.string().default('') });

/** What it is answered: whether that is of another log than the registry's, as where a copy of the database was put back. */
export const HereAnswer = z.object({ isOfAnotherLog: z.boolean().default(false) });

/** What it is answered. `to` is what it made for this session, by which it knows the answer for its own. */
export const Welcome = z.object({
  to: z.string(),
  session: z.string().optional(),
  registryMoment: z.string().optional(),
  refused: z.object({ code: z.string(), message: z.string(), reason: z.string().optional() }).optional(),
});
