import type { Bus } from '#bus/bus.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { askCaller } from '#gateway/http/ask-caller.ts';

/** For how long a verified token suffices to read a request without asking the registry, in milliseconds. */
const freshMs = 30_000;
/** For how long a verified caller is separated from unknown ones during overload, in milliseconds. */
const knownMs = 90_000;
/** Maximum number of cached callers. The oldest is evicted first. */
const maxCallers = 10_000;

interface CachedCaller {
  readonly caller: Caller;
  /** When the registry was asked, in milliseconds. */
  readonly at: number;
}

/**
 * Caches the holders of tokens, so that no request body is read for an unknown caller. The cache is not
 * authoritative: the registry checks each call, and a cached caller is checked again before a refusal.
 */
export class KnownCallers {
  readonly #bus: Bus;
  readonly #now: () => number;
  readonly #known = new Map<string, CachedCaller>();
  readonly #pending = new Map<string, Promise<Caller>>();

  constructor(bus: Bus, now: () => number = () => performance.now()) {
    this.#bus = bus;
    this.#now = now;
  }

  /** Whether a credential was verified recently. */
  has(credential: string): boolean {
    return this.#within(credential, knownMs) !== undefined;
  }

  /** The caller, if the registry verified the credential within the last 30 s; else undefined. */
  recall(credential: string): Caller | undefined {
    return this.#within(credential, freshMs);
  }

  /**
   * Asks the registry who holds a credential. Concurrent calls share one request.
   * @throws UNAUTHENTICATED when there is none, UNAVAILABLE or DEADLINE_EXCEEDED when the registry does not answer
   */
  ask(credential: string, timeoutMs?: number): Promise<Caller> {
    const asking = this.#pending.get(credential);
    if (asking !== undefined) return asking;
    const asked = this.#ask(credential, timeoutMs).finally(() => this.#pending.delete(credential));
    this.#pending.set(credential, asked);
    return asked;
  }

  #within(credential: string, ms: number): Caller | undefined {
    const known = this.#known.get(credential);
    return known !== undefined && this.#now() - known.at < ms ? known.caller : undefined;
  }

  async #ask(credential: string, timeoutMs: number | undefined): Promise<Caller> {
    try {
      const caller = await askCaller(this.#bus, credential, timeoutMs);
      this.#remember(credential, caller);
      return caller;
    } catch (error) {
      if (error instanceof Failure && error.code === 'unauthenticated') this.#known.delete(credential);
      throw error;
    }
  }

  #remember(credential: string, caller: Caller): void {
    this.#known.delete(credential);
    for (const [oldest, { at }] of this.#known) {
      if (this.#known.size < maxCallers && this.#now() - at < knownMs) break;
      this.#known.delete(oldest);
    }
    this.#known.set(credential, { caller, at: this.#now() });
  }
}
