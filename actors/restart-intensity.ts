import type { Clock } from '#contract/clock.ts';

/** How many restarts one child may have within a time, as OTP counts them. */
export class RestartIntensity {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #withinMs: number;
  readonly #restarts = new Map<string, number[]>();

  constructor(clock: Clock, max: number, withinMs: number) {
    this.#clock = clock;
    this.#max = max;
    this.#withinMs = withinMs;
  }

  /** Counts a restart of the child, and returns whether it is allowed. */
  allows(child: string): boolean {
    const since = this.#clock.now() - this.#withinMs;
    for (const [one, restarts] of this.#restarts) if ((restarts.at(-1) ?? 0) <= since) this.#restarts.delete(one);
    const recent = (this.#restarts.get(child) ?? []).filter((at) => at > since);
    if (recent.length >= this.#max) {
      this.#restarts.set(child, recent);
      return false;
    }
    this.#restarts.set(child, [...recent, this.#clock.now()]);
    return true;
  }
}
