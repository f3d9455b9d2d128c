import type { Clock, MonotonicClock } from '#contract/clock.ts';

/** A difference of less is not a step, in milliseconds: clocks that are disciplined are always a little off. */
const slack = 2_000;

/**
 * The time of day that a service uses: what the machine's clock said, and what has passed since by the monotonic one.
 * If somebody sets the machine's clock this one continues as before, until whoever uses it has put right what was to
 * come and follows.
 */
export class SteadyClock implements Clock {
  readonly #clock: MonotonicClock;
  #ahead: number;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
    this.#ahead = clock.now() - clock.monotonic();
  }

  now(): number {
    return Math.round(this.#clock.monotonic() + this.#ahead);
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  /**
   * By how much the machine's clock was set since, in milliseconds; 0 if it was not. Small differences are followed at
   * once.
   */
  step(): number {
    const by = Math.round(this.#clock.now() - this.#clock.monotonic() - this.#ahead);
    if (Math.abs(by) > slack) return by;
    this.#ahead += by;
    return 0;
  }

  /** Goes with a step of the machine's clock. */
  follow(by: number): void {
    this.#ahead += by;
  }
}
