import { z } from 'zod';
import { joinTokenForm } from '#contract/joining/join-line.ts';

/** The protocol of a machine that joins: a registry knows those from `min` to `max`. */
export const joinProtocol = { min: 1, max: 1 } as const;

/** The paths of a gateway where a machine shows its invitation, exchanges it, and asks for new certificates later. */
export const joinPaths = { preview: '/join/invitation', join: '/join', renew: '/join/renewal' } as const;

/** A public key of NATS for a user. */
const UserKey = z.string().regex(/^U[A-Z2-7]{55}$/);

/** The machine's own name, for an invitation without one. */
const MachineName = z.string().min(1).max(255);

/** The bus, as a machine that joins reaches it. */
export const JoinedBus = z.object({
  /** Addresses, separated by commas. For one on loopback, the machine uses the host that it joined at. */
  url: z.string(),
  /** PEM certificates of the CA of the bus; unset for the CAs that the machine trusts. */
  authority: z.string().optional(),
});
export type JoinedBus = z.infer<typeof JoinedBus>;

/** The first part of what a machine sends, which any version reads. */
export const JoinProtocol = z.object({ protocol: z.int(), version: z.string().max(64).default('') });

/** The token of an invitation, and the machine's own name. */
const Shown = JoinProtocol.extend({ token: z.string().regex(joinTokenForm), name: MachineName });

/**
 * What a machine that is about to join shows, and what it learns: nothing is done yet. One that repeats an exchange names its
 * keys, so that the token, which it has used, is not refused.
 */
export const PreviewRequest = Shown.extend({ hostKey: UserKey.optional(), gatewayKey: UserKey.optional() });
export const JoinPreview = z.object({
  /** The name that the host will have. */
  name: z.string(),
  bus: JoinedBus,
});

/** What a machine exchanges for its certificates: the token of its invitation, and the public keys of its processes. */
export const JoinRequest = Shown.extend({ hostKey: UserKey, gatewayKey: UserKey });
export type JoinRequest = z.infer<typeof JoinRequest>;

/** The certificates of a host and of the gateway beside it: JWTs of NATS, which are no secret. */
export const Certificates = z.object({ host: z.string(), gateway: z.string() });
export type Certificates = z.infer<typeof Certificates>;

/** What a machine gets that has joined. */
export const JoinAnswer = z.object({
  hostId: z.string(),
  name: z.string(),
  installation: z.string(),
  certificates: Certificates,
  bus: JoinedBus,
});
export type JoinAnswer = z.infer<typeof JoinAnswer>;

/** A host whose certificates have ended asks for new ones through a gateway, and proves that it has its key. */
export const RenewalRequest = z.object({
  hostId: z.string().max(128),
  /** Of `renewalProofText`, by the host's key on the bus: base64url. */
  proof: z.string().max(128),
});
export type RenewalRequest = z.infer<typeof RenewalRequest>;

/** What a host signs to ask for new certificates. */
export function renewalProofText(hostId: string, installation: string): string {
  return `muster certificates 1\n${installation}\n${hostId}`;
}
