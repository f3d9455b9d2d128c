import { randomBytes } from 'node:crypto';

/** How long a nonce is the current one, in milliseconds. It is accepted for as long again. */
const renewAfterMs = 60_000;
/** How many proofs may use one nonce, so that the memory for them is limited. */
const maxProofs = 50_000;

/** A nonce, and the ids of the proofs that used it. */
interface NoncePeriod {
  readonly nonce: string;
  readonly since: number;
  readonly used: Set<string>;
}

/**
 * The nonces of browsers' proofs (RFC 9449, section 8). They limit the age of a proof regardless of the browser's
 * clock, and each proof is accepted once. They exist only in this process, so a proof for one gateway is invalid at
 * another one, and after a restart.
 */
export class ProofNonces {
  readonly #now: () => number;
  readonly #makeNonce: () => string;
  #current: NoncePeriod;
  #previous: NoncePeriod | undefined;

  constructor(
    now: () => number = () => performance.now(),
    makeNonce: () => string = () => randomBytes(18).toString('base64url'),
  ) {
    this.#now = now;
    this.#makeNonce = makeNonce;
    this.#current = this.#begin();
  }

  /** The nonce for the next proof. */
  get current(): string {
    const age = this.#now() - this.#current.since;
    if (age > renewAfterMs || this.#current.used.size >= maxProofs) {
      this.#previous = age > 2 * renewAfterMs ? undefined : this.#current;
      this.#current = this.#begin();
    }
    return this.#current.nonce;
  }

  /** Accepts a proof by its id; false if its nonce is unknown or too old, or if the proof was used before. */
  take(nonce: unknown, id: string): boolean {
    const known = [this.current === nonce ? this.#current : undefined, this.#previous];
    const era = known.find((one) => one?.nonce === nonce);
    if (era === undefined || era.used.has(id) || era.used.size >= 2 * maxProofs) return false;
    era.used.add(id);
    return true;
  }

  #begin(): NoncePeriod {
    return { nonce: this.#makeNonce(), since: this.#now(), used: new Set() };
  }
}
