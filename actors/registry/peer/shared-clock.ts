import type { MonotonicClock } from '#contract/clock.ts';

/** A measurement that took longer is too inexact to count, in milliseconds. */
const exactWithin = 500;
/** How long a measurement counts, in milliseconds. */
const measuredFor = 400;

/**
 * The time of a database that several registries share, as they all go by it: this machine's own clock does not matter.
 * It is what the database's clock last showed, and what has passed since by this machine's monotonic clock. Until it is
 * measured, it shows the machine's time.
 */
export class SharedClock implements MonotonicClock {
  readonly #own: MonotonicClock;
  #ahead: number;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(own: MonotonicClock) {
    this.#own = own;
    this.#ahead = own.now() - own.monotonic();
  }

  now(): number {
    return Math.round(this.#own.monotonic() + this.#ahead);
  }

  monotonic(): number {
    return this.#own.monotonic();
  }

  /** Reads the database's clock, unless that was done a moment ago. `readTime` gives milliseconds since 1970. */
  async measure(readTime: () => Promise<number>): Promise<void> {
    const asked = this.#own.monotonic();
    if (asked - this.#measuredAt < measuredFor) return;
    const time = await readTime();
    const answered = this.#own.monotonic();
    if (answered - asked > exactWithin) return;
    this.#ahead = time - (asked + answered) / 2;
    this.#measuredAt = answered;
  }
}
