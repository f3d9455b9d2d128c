import { z } from 'zod';

/**
 * What a host says to begin a session: its own public key, the one that it made for this session, and the installation
 * that it belongs to, once it knows.
 */
export const Hello = z.object({
  hostKey: z.string().max(64),
  hostMoment: z.string().max(64),
  installation: z.string().max(64).optional(),
});
export type Hello = z.infer<typeof Hello>;

/**
 * Which machine speaks, since which start of it, with which state folder: a copy of the folder or of its disk says
 * something else.
 */
export const Holder = z.object({
  /** What the machine calls itself, for people. */
  machine: z.string().max(255),
  boot: z.string().max(64),
  folder: z.string().max(64),
  /** Where the folder is, for people. */
  path: z.string().max(4_096),
});
export type Holder = z.infer<typeof Holder>;

/**
 * Whether two processes have the same state folder on the same start of the same machine, if only one at a time may
 * run.
 */
export function isSameHolder(one: Holder, other: Holder): boolean {
  return one.boot === other.boot && one.folder === other.folder;
}

/**
 * The first word that a host says in a session: who it is, and up to which cursor it has read what moved of its agents.
 */
export const Here = z.object({
  cursor: z.string().default(''),
  holder: Holder.default({ machine: '', boot: '', folder: '', path: '' }),
  /** Whether it asks for a permit right before it types: one of before types whenever it comes to it. */
  asksPermits: z.boolean().default(false),
});
export type Here = z.infer<typeof Here>;

/**
 * What it is answered: whether that is of another log than the registry's, as when a copy of the database was restored.
 */
export const HereAnswer = z.object({ isOfAnotherLog: z.boolean().default(false) });

/** What a host is asked with, over its line, to say that it is there. */
export const pingVerb = 'ping';

/** What it is answered. `to` is what it made for this session, by which it knows the answer for its own. */
export const Welcome = z.object({
  to: z.string(),
  session: z.string().optional(),
  registryMoment: z.string().optional(),
  /** The registry's instance: the host sends it what is meant for it alone. An older registry does not say. */
  registry: z.string().max(64).optional(),
  refused: z.object({ code: z.string(), message: z.string(), reason: z.string().optional() }).optional(),
});

/** What a registry asks of a host with which it has no session: to begin one with it. */
export const Greet = z.object({
  /** Its instance. An older registry does not say, and has the bus for itself. */
  registry: z.string().max(64).optional(),
});
