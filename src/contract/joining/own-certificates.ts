import type { Failure } from '#contract/failure.ts';
import type { Certificates } from '#contract/wire/host-joining.ts';

/** The certificates of a machine that has joined, as its state folder has them. */
export interface OwnCertificates {
  /** From when to when they are valid, in milliseconds since 1970. */
  readonly validity: { readonly from: number; readonly until: number };
  /** Replaces them. @throws INVALID_VALUE when they are for other keys */
  keep(certificates: Certificates): void;
  /**
   * Asks for new ones through the gateway where the machine joined, by proof of its key, and replaces them.
   * @throws HOST_REMOVED; RENEWAL_NOT_PROVEN; JOIN_UNREACHABLE
   */
  renewByProof(): Promise<void>;
  /** Notes that the machine does not belong to the installation any more: each later start says so. */
  end(why: Failure): void;
}
