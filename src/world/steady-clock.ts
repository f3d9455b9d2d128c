import type { Clock, MonotonicClock } from '#contract/clock.ts';

/** A smaller difference, in milliseconds, is not a step, because synchronized clocks are always slightly off. */
const slack = 2_000;

/**
 * The time of day that a service uses: the machine's clock at the start, plus the time elapsed since by the monotonic
 * clock. If the machine's clock is set, this clock does not step until its user has adjusted its plans and calls
 * `follow`.
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

  /** Follows a step of the machine's clock. */
  follow(by: number): void {
    this.#ahead += by;
  }
}
