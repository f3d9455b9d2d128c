import type { Caller } from '#contract/access/caller.ts';
import type { FactHints } from '#gateway/rpc/fact-hints.ts';

interface Shared {
  readonly digest: Promise<unknown>;
  /** When it was asked for, in milliseconds. */
  readonly at: number;
  /** How many hints had been heard by then. */
  readonly hints: number;
}

/** What is to be read, who may see it, and how often it is looked at if it also changes without a fact. */
interface Wanted {
  readonly uri: string;
  readonly caller: Caller;
  readonly lookEveryMs: number | undefined;
}

/** What resources say, for all that are subscribed to them: readings of one moment are asked for once. */
export class SharedReadings {
  readonly #hints: Pick<FactHints, 'heard'>;
  readonly #now: () => number;
  readonly #shared = new Map<string, Shared>();

  constructor(hints: Pick<FactHints, 'heard'>, now: () => number = () => performance.now()) {
    this.#hints = hints;
    this.#now = now;
  }

  /** The digest of a resource as its subscriber may see it: every person sees the same, and each agent its own. */
  digest({ uri, caller, lookEveryMs }: Wanted, read: () => Promise<unknown>): Promise<unknown> {
    const key = `${caller.kind === 'person' ? '' : caller.agentId} ${uri}`;
    const known = this.#shared.get(key);
    // A refusal may be of the one that asked.
    if (known !== undefined && this.#isCurrent(known, lookEveryMs)) return known.digest.catch(read);
    const shared = { digest: read(), at: this.#now(), hints: this.#hints.heard };
    this.#shared.set(key, shared);
    const forget = (): void => {
      const drop = () => this.#shared.get(key) === shared && this.#shared.delete(key);
      setTimeout(drop, lookEveryMs ?? 0).unref();
    };
    shared.digest.then(forget, forget);
    return shared.digest;
  }

  /** What also changes without a fact is as good as new for half the time after which it is looked at again. */
  #isCurrent({ at, hints }: Shared, lookEveryMs: number | undefined): boolean {
    if (hints !== this.#hints.heard) return false;
    return lookEveryMs === undefined || this.#now() - at < lookEveryMs / 2;
  }
}
