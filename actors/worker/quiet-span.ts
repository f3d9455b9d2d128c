import type { Clock } from '#contract/clock.ts';
import type { Store } from '#store/store.ts';

/**
 * Maximum time between two checks for due rows, in milliseconds: if only this process writes to the
 * database, and if others also write. Those check their own rows first unless they have died.
 */
const longest = { alone: 5_000, shared: 1_000 } as const;

/** Skips checks for due rows until the next one is due or something is written. */
export class QuietSpan {
  readonly #store: Pick<Store, 'writes' | 'sharedTime'>;
  readonly #clock: Clock;
  #from = 0;
  #until = 0;
  #writes = -1;

  constructor({ store, clock }: { readonly store: Pick<Store, 'writes' | 'sharedTime'>; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Whether something may be due now.
   * @param look reads the time at which the next row is due, in milliseconds since 1970; undefined if none is
   */
  async isOver(look: () => Promise<number | undefined>): Promise<boolean> {
    const { writes, sharedTime } = this.#store;
    const now = this.#clock.now();
    if (writes === this.#writes && now >= this.#from && now < this.#until) return false;
    const next = (await look()) ?? Number.POSITIVE_INFINITY;
    this.#writes = writes;
    this.#from = now;
    this.#until = Math.min(next, now + (sharedTime === undefined ? longest.alone : longest.shared));
    return next <= now;
  }
}
