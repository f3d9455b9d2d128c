import type { BusMember } from '#contract/access/bus-member.ts';

/** Admits members to the bus. Only a registry can, because it has the keys of the bus. */
export interface BusAdmission {
  /** Certifies the public key of a member, as a JWT of NATS, until a time in milliseconds since 1970. */
  certify(member: BusMember, publicKey: string, expiresAt: number): Promise<string>;
  /**
   * Has the servers refuse public keys for ever, and ends their connections: now, and whenever the servers start again.
   * @throws BUS_UNAVAILABLE when the servers did not accept it
   */
  revoke(publicKeys: readonly string[]): Promise<void>;
  /** Where machines join. */
  readonly entrance: Entrance;
}

/** What a machine needs to reach a gateway and the bus. */
export interface Entrance {
  /** The address of a gateway, without a trailing slash. */
  readonly url: string;
  /** The SHA-256 of a certificate of its chain, in base64url; undefined if it has none of its own. */
  readonly fingerprint: string | undefined;
  readonly busUrl: string;
  /** PEM certificates of the CA of the bus; undefined for the CAs that machines trust. */
  readonly busAuthority: string | undefined;
}
