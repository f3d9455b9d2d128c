/** How many of the last answers count. */
const counted = 8;

/**
 * A host's estimate of the registry's time. Both use clocks that never step. An answer's time was taken after its
 * request was sent, so the estimate may be ahead but never behind: the time left is never overestimated.
 */
export class RegistryTime {
  readonly #monotonic: () => number;
  readonly #offsets: number[] = [];

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** The host's own time. */
  now(): number {
    return this.#monotonic();
  }

  /** Forgets all answers: a restarted registry has another clock. */
  begin(): void {
    this.#offsets.length = 0;
  }

  /** Takes the time from an answer: at some moment since `askedAt`, the registry's time was its `registryNow`. */
  record(askedAt: number, answer: unknown): void {
    const { registryNow } = (answer ?? {}) as { readonly registryNow?: unknown };
    if (typeof registryNow !== 'number' || !Number.isFinite(registryNow)) return;
    this.#offsets.push(askedAt - registryNow);
    if (this.#offsets.length > counted) this.#offsets.shift();
  }

  /**
   * How much time is certainly left until a moment on the registry's clock, in milliseconds; undefined if no answer has
   * carried a time yet.
   */
  left(until: number): number | undefined {
    if (this.#offsets.length === 0) return undefined;
    return until + Math.max(...this.#offsets) - this.#monotonic();
  }
}
