import type { Bus, Subscription } from '#bus/bus.ts';
import { onEachFact } from '#bus/facts.ts';

/** Called with the subject of a fact; undefined if it may be any. */
export type HintListener = (subjectId?: string) => void;

/** Receives the hints of facts once for all followers in this process. */
export class FactHints {
  readonly #bus: Bus;
  readonly #listeners = new Map<HintListener, string>();
  #subscription: Subscription | undefined;
  #received = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** How many hints were received. A reading at the same count is still current. */
  get received(): number {
    return this.#received;
  }

  /** Calls a listener for facts whose kind starts with a prefix (any fact if it is empty), until it is closed. */
  listen(prefix: string, listener: HintListener): Subscription {
    const own: HintListener = (subjectId) => listener(subjectId);
    this.#listeners.set(own, prefix);
    this.#subscription ??= onEachFact(this.#bus, (kind, subjectId) => this.#dispatch(kind, subjectId));
    return {
      close: () => {
        this.#listeners.delete(own);
        if (this.#listeners.size > 0) return;
        this.#subscription?.close();
        this.#subscription = undefined;
      },
    };
  }

  #dispatch(kind: string | undefined, subjectId: string | undefined): void {
    this.#received += 1;
    for (const [listener, prefix] of [...this.#listeners]) {
      if (kind === undefined) listener();
      else if (kind.startsWith(prefix)) listener(subjectId);
    }
  }
}
