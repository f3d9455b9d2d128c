import { randomBytes } from 'node:crypto';

/** How long proofs are made with one nonce, in milliseconds; each is taken for as long again. */
const renewAfterMs = 60_000;
/** How many proofs may be made with one nonce: what is remembered of them stays small, whoever sends them. */
const maxProofs = 50_000;

/** A nonce, and the ids of the proofs that were made with it. */
interface Era {
  readonly nonce: string;
  readonly since: number;
  readonly used: Set<string>;
}

/**
 * The nonces that a browser's proofs carry (RFC 9449, section 8): they say how old a proof is whatever the browser's
 * clock says, and each proof is taken once. They live in this process alone: a proof for one gateway is worth nothing
 * to another one, nor to the same one after a restart.
 */
export class ProofNonces {
  readonly #now: () => number;
  readonly #makeNonce: () => string;
  #current: Era;
  #previous: Era | undefined;

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

  /** Takes a proof by its id; false if its nonce is unknown or too old, or if it was taken before. */
  take(nonce: unknown, id: string): boolean {
    const known = [this.current === nonce ? this.#current : undefined, this.#previous];
    const era = known.find((one) => one?.nonce === nonce);
    if (era === undefined || era.used.has(id) || era.used.size >= 2 * maxProofs) return false;
    era.used.add(id);
    return true;
  }

  #begin(): Era {
    return { nonce: this.#makeNonce(), since: this.#now(), used: new Set() };
  }
}
