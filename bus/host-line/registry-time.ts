/** How many of the last reported times count. */
const counted = 8;

/**
 * The registry's time as a host knows it, by clocks of both that never step: no answer gives it exactly, but it came
 * after the question was sent. What is left until a moment is so never taken for more than it is.
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

  /** From now on another registry gives the time. */
  begin(): void {
    this.#offsets.length = 0;
  }

  /** Notes what an answer says: at some moment since `askedAt` it was `registryNow` at the registry. */
  hear(askedAt: number, answer: unknown): void {
    const { registryNow } = (answer ?? {}) as { readonly registryNow?: unknown };
    if (typeof registryNow !== 'number' || !Number.isFinite(registryNow)) return;
    this.#offsets.push(askedAt - registryNow);
    if (this.#offsets.length > counted) this.#offsets.shift();
  }

  /**
   * How much is surely left until a moment of the registry's time, in milliseconds; undefined if it has reported none.
   */
  left(until: number): number | undefined {
    if (this.#offsets.length === 0) return undefined;
    return until + Math.max(...this.#offsets) - this.#monotonic();
  }
}
