/** How many of the last reported times count. */
const counted = 8;

/**
 * The registry's time as a host knows it; both use clocks that never step. No answer gives it exactly, but each answer
 * was made after its request was sent. So the remaining time is never overestimated.
 */
export class RegistryTime {
  readonly #monotonic: () => number;
  readonly #offsets: number[] = [];

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** This side's own time. */
  now(): number {
    return this.#monotonic();
  }

  /** Starts over, because another registry now gives the time. */
  begin(): void {
    this.#offsets.length = 0;
  }

  /** Notes the time of an answer: at some moment since `askedAt` the registry's time was `registryNow`. */
  hear(askedAt: number, answer: unknown): void {
    const { registryNow } = (answer ?? {}) as { readonly registryNow?: unknown };
    if (typeof registryNow !== 'number' || !Number.isFinite(registryNow)) return;
    this.#offsets.push(askedAt - registryNow);
    if (this.#offsets.length > counted) this.#offsets.shift();
  }

  /**
   * How much time is certainly left until a moment of the registry's time, in milliseconds; undefined if the registry
   * has reported no time.
   */
  left(until: number): number | undefined {
    if (this.#offsets.length === 0) return undefined;
    return until + Math.max(...this.#offsets) - this.#monotonic();
  }
}
