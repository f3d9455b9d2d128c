import { z } from 'zod';
import { ProtocolRange } from './protocol-range.ts';

/**
 * The first message of a host that opens a session: its own public key, the key that it made for this session, and the
 * installation that it belongs to, once known, and the versions of the messages that it speaks.
 */
export const Hello = z.object({
  hostKey: z.string().max(64),
  hostMoment: z.string().max(64),
  installation: z.string().max(64).optional(),
  /** The versions of the messages that it speaks. A host of the first version does not say. */
  protocols: ProtocolRange.optional(),
});
export type Hello = z.infer<typeof Hello>;

/**
 * The computer, its boot and the state folder of a host's process. They differ for a copy of the folder or of the disk.
 */
export const Holder = z.object({
  /** The name of the computer, for people. */
  machine: z.string().max(255),
  boot: z.string().max(64),
  folder: z.string().max(64),
  /** The path of the folder, for people. */
  path: z.string().max(4_096),
});
export type Holder = z.infer<typeof Holder>;

/**
 * Whether two processes have the same state folder in the same boot of the same computer. Only one may run at a time.
 */
export function isSameHolder(one: Holder, other: Holder): boolean {
  return one.boot === other.boot && one.folder === other.folder;
}

/**
 * The first message of a host in a session: who it is, and the cursor up to which it has read its agents' changes.
 */
export const Here = z.object({
  cursor: z.string().default(''),
  holder: Holder.default({ machine: '', boot: '', folder: '', path: '' }),
  /** Whether it requests a permit right before it types. Older hosts do not. */
  asksPermits: z.boolean().default(false),
});
export type Here = z.infer<typeof Here>;

/** The registry's answer. The cursor is of another log if, for example, a backup of the database was restored. */
export const HereAnswer = z.object({ isOfAnotherLog: z.boolean().default(false) });

/** The verb by which a host is asked, over its line, whether it is alive. */
export const pingVerb = 'ping';

/** The registry's answer to a Hello. `to` repeats the host's key of this session, which identifies the answer. */
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
