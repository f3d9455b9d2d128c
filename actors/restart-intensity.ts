import type { Clock } from '#contract/clock.ts';

/** How many restarts one child may have within a time, as OTP counts them. */
export class RestartIntensity {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #withinMs: number;
  readonly #restarts = new Map<string, number[]>();

  constructor(clock: Clock, most: number, withinMs: number) {
    this.#clock = clock;
    this.#most = most;
    this.#withinMs = withinMs;
  }

  /** Counts a restart of the child, and tells whether it may have it. */
  allows(child: string): boolean {
    const since = this.#clock.now() - this.#withinMs;
    const recent = (this.#restarts.get(child) ?? []).filter((at) => at > since);
    if (recent.length >= this.#most) {
      this.#restarts.set(child, recent);
      return false;
    }
    this.#restarts.set(child, [...recent, this.#clock.now()]);
    return true;
  }
}
