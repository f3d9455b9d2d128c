import type { Bus } from '#bus/bus.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { askCaller } from '#gateway/http/ask-caller.ts';

/** How long the registry's answer about a token may be used to admit the reading of a request, in milliseconds. */
const freshMs = 30_000;
/** How long a caller has room of its own beside those whom nobody knows, in milliseconds. */
const knownMs = 90_000;
/** How many callers are remembered: the one that was asked about first is forgotten first. */
const maxCallers = 10_000;

interface Known {
  readonly caller: Caller;
  /** When the registry was asked, in milliseconds. */
  readonly at: number;
}

/**
 * Who holds which token, so that nothing of a request is read for a caller whom nobody knows. It decides nothing for
 * good: the registry is asked with each call, and whatever is refused here to a caller who is only remembered is asked
 * for again.
 */
export class KnownCallers {
  readonly #bus: Bus;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<Caller>>();

  constructor(bus: Bus, now: () => number = () => performance.now()) {
    this.#bus = bus;
    this.#now = now;
  }

  /** Whether a credential was good a moment ago, or is likely to be still. */
  has(credential: string): boolean {
    return this.#within(credential, knownMs) !== undefined;
  }

  /** The caller whom the registry named within the last 30 s; undefined if it has to be asked. */
  recall(credential: string): Caller | undefined {
    return this.#within(credential, freshMs);
  }

  /**
   * Asks the registry who holds a credential; calls that ask at the same time share one question.
   * @throws UNAUTHENTICATED when nobody does, UNAVAILABLE or DEADLINE_EXCEEDED when the registry is away.
   */
  ask(credential: string, timeoutMs?: number): Promise<Caller> {
    const asking = this.#asking.get(credential);
    if (asking !== undefined) return asking;
    const asked = this.#ask(credential, timeoutMs).finally(() => this.#asking.delete(credential));
    this.#asking.set(credential, asked);
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
