import type { Caller } from '#contract/access/caller.ts';
import type { FactHints } from '#gateway/rpc/fact-hints.ts';

interface CachedReading {
  readonly digest: Promise<unknown>;
  /** When it was requested, in milliseconds. */
  readonly at: number;
  /** How many hints had been received by then. */
  readonly hints: number;
}

/** The resource to read, its reader, and how often to check it if it also changes without a fact. */
interface SharedReading {
  readonly uri: string;
  readonly caller: Caller;
  readonly lookEveryMs: number | undefined;
}

/** Readings of resources that several subscribers share, so that each is requested once. */
export class SharedReadings {
  readonly #hints: Pick<FactHints, 'received'>;
  readonly #now: () => number;
  readonly #shared = new Map<string, CachedReading>();

  constructor(hints: Pick<FactHints, 'received'>, now: () => number = () => performance.now()) {
    this.#hints = hints;
    this.#now = now;
  }

  /** The digest of a resource for a subscriber. People share readings; each agent has its own. */
  digest({ uri, caller, lookEveryMs }: SharedReading, read: () => Promise<unknown>): Promise<unknown> {
    const key = `${caller.kind === 'person' ? '' : caller.agentId} ${uri}`;
    const known = this.#shared.get(key);
    // The failure may concern only the first subscriber.
    if (known !== undefined && this.#isCurrent(known, lookEveryMs)) return known.digest.catch(read);
    const shared = { digest: read(), at: this.#now(), hints: this.#hints.received };
    this.#shared.set(key, shared);
    const forget = (): void => {
      const drop = () => this.#shared.get(key) === shared && this.#shared.delete(key);
      setTimeout(drop, lookEveryMs ?? 0).unref();
    };
    shared.digest.then(forget, forget);
    return shared.digest;
  }

  /** A reading of a resource that changes without facts is current for half of its check interval. */
  #isCurrent({ at, hints }: CachedReading, lookEveryMs: number | undefined): boolean {
    if (hints !== this.#hints.received) return false;
    return lookEveryMs === undefined || this.#now() - at < lookEveryMs / 2;
  }
}
