import { destinationForm } from '#contract/wire/host-event.ts';

/** How many refused destinations of an agent are reported at once, and after how long one more, in milliseconds. */
const maxAtOnce = 20;
const oneMoreMs = 15_000;
/** For how long the same destination is not reported again, in milliseconds. */
const sameMs = 2_000;

/**
 * Which refused connections of an agent are reported. Each one that is recorded costs a write, and an agent can ask for a new
 * name all the time, of any length.
 */
export class RefusalGate {
  readonly #now: () => number;
  readonly #reported = new Map<string, number>();
  #left = maxAtOnce;
  #countedAt: number;

  /** @param now milliseconds on a clock that never steps */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#countedAt = now();
  }

  /** Whether a refusal is reported. */
  admits(destination: string): boolean {
    const now = this.#now();
    if (!destinationForm.test(destination) || now - (this.#reported.get(destination) ?? -sameMs) < sameMs) return false;
    const more = Math.floor((now - this.#countedAt) / oneMoreMs);
    this.#countedAt += more * oneMoreMs;
    this.#left = Math.min(maxAtOnce, this.#left + more);
    if (!this.#reported.has(destination)) {
      if (this.#left === 0) return false;
      this.#left -= 1;
    }
    this.#reported.delete(destination);
    this.#reported.set(destination, now);
    for (const [oldest] of this.#reported) if (this.#reported.size > maxAtOnce) this.#reported.delete(oldest);
    return true;
  }
}
