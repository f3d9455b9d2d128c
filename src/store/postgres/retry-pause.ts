/** The maximum of the first pause, in milliseconds. It doubles with each pause, up to `maxMs`. */
const firstMs = 4;
const maxMs = 250;

/** The pauses between retries of a conflicting transaction: exponential, with full jitter. */
export class RetryPause {
  readonly #until: number;
  readonly #chance: () => number;
  #nextMs = firstMs;

  /** @param chance returns random numbers from 0 to 1 */
  constructor(patienceMs: number, chance: () => number) {
    this.#until = performance.now() + patienceMs;
    this.#chance = chance;
  }

  /** Waits before the next retry; false, without waiting, if the time for retries is over. */
  async next(): Promise<boolean> {
    if (performance.now() >= this.#until) return false;
    const pauseMs = this.#chance() * this.#nextMs;
    this.#nextMs = Math.min(this.#nextMs * 2, maxMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return true;
  }
}
