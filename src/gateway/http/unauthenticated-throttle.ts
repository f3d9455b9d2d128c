import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { releaseSlot } from './admission.ts';

/** How many unknown tokens one address may try. */
export interface ThrottleLimits {
  /** How many within the time are refused without delay. */
  readonly max: number;
  readonly withinMs: number;
  /** After how long each further one is refused, in milliseconds. */
  readonly pauseMs: number;
}

export const defaultThrottleLimits: ThrottleLimits = { max: 30, withinMs: 60_000, pauseMs: 1_000 };

/** Maximum number of tracked addresses. The oldest is evicted first. */
const maxAddresses = 10_000;

/**
 * Counts the unknown tokens of each address. A valid token is always accepted, however many wrong ones came from its
 * address, so that no caller can be locked out.
 */
export class UnauthenticatedThrottle {
  readonly #limits: ThrottleLimits;
  readonly #stopping: AbortSignal;
  readonly #tries = new Map<string, { count: number; readonly until: number }>();

  constructor(limits: ThrottleLimits, stopping: AbortSignal) {
    this.#limits = limits;
    this.#stopping = stopping;
  }

  /**
   * Does work that the registry refuses if the token is unknown.
   * @throws RESOURCE_EXHAUSTED, delayed, instead of UNAUTHENTICATED, when the address has tried too many
   */
  async admit<T>(address: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'unauthenticated' || this.#isWithin(address)) throw error;
      releaseSlot();
      await delay(this.#limits.pauseMs, undefined, { signal: this.#stopping }).catch(() => undefined);
      throw new Failure(
        'TOO_MANY_UNKNOWN_TOKENS',
        `Too many calls from ${address} had an unknown token (at most ${this.#limits.max} within ` +
          `${this.#limits.withinMs / 1000} s): use the right token, which is always accepted`,
        { metadata: { limitPerMinute: String(this.#limits.max) } },
      );
    }
  }

  /** Counts an unknown token of an address; false if that exceeds the limit. */
  #isWithin(address: string): boolean {
    const key = networkOf(address);
    const now = performance.now();
    const known = this.#tries.get(key);
    if (known !== undefined && known.until > now) {
      known.count += 1;
      return known.count <= this.#limits.max;
    }
    this.#tries.delete(key);
    const [oldest] = this.#tries.size < maxAddresses ? [] : this.#tries.keys();
    if (oldest !== undefined) this.#tries.delete(oldest);
    this.#tries.set(key, { count: 1, until: now + this.#limits.withinMs });
    return this.#limits.max > 0;
  }
}

/** The network of an address: for IPv6 the first 64 bits, which one caller commonly has for itself. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const zeros = tail === undefined ? [] : ['0', '0', '0', '0'];
  return [...head.split(':'), ...zeros].slice(0, 4).join(':');
}
