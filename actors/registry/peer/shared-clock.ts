import type { MonotonicClock } from '#contract/clock.ts';
import type { SharedTime } from '#store/database/engine.ts';

/** A measurement that took longer is too inexact to count, in milliseconds. */
const exactWithin = 500;
/** How long a measurement counts, in milliseconds. */
const measuredFor = 400;

/**
 * The time of a database that several registries share, used by all of them instead of their machines' clocks.
 * It is the last reading of the database's clock plus the monotonic time elapsed since. Until it is
 * measured, it shows the machine's time.
 */
export class SharedClock implements MonotonicClock {
  readonly #own: MonotonicClock;
  #ahead: number;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #steps = 0;

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

  /** By how many milliseconds the stored times had been moved in all when the clock was last measured. */
  get steps(): number {
    return this.#steps;
  }

  /** Reads the database's clock; false if that was done a moment ago, or took too long to be exact. */
  async measure(readTime: () => Promise<SharedTime>): Promise<boolean> {
    const asked = this.#own.monotonic();
    if (asked - this.#measuredAt < measuredFor) return false;
    const { now, steps } = await readTime();
    const answered = this.#own.monotonic();
    if (answered - asked > exactWithin) return false;
    this.#ahead = now - (asked + answered) / 2;
    this.#steps = steps;
    this.#measuredAt = answered;
    return true;
  }
}
