/** How long the first pause is at most, in milliseconds; each next one is twice as long, up to the longest. */
const firstMs = 4;
const longestMs = 250;

/** The pauses between tries of work that others collided with, each a random part of its time: so they part. */
export class RetryPause {
  readonly #until: number;
  readonly #chance: () => number;
  #nextMs = firstMs;

  /** @param chance gives numbers from 0 to 1. */
  constructor(patienceMs: number, chance: () => number) {
    this.#until = performance.now() + patienceMs;
    this.#chance = chance;
  }

  /** Waits until it is time for the next try; false if there is none any more. */
  async next(): Promise<boolean> {
    if (performance.now() >= this.#until) return false;
    const pauseMs = this.#chance() * this.#nextMs;
    this.#nextMs = Math.min(this.#nextMs * 2, longestMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return true;
  }
}
