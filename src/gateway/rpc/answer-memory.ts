import type { JsonObject } from '@bufbuild/protobuf';

/** How much the registry's answers to all watches may take, in characters of JSON, and for how long they are kept. */
export interface MemoryLimits {
  readonly size: number;
  readonly ageMs: number;
}

/** A watch that is asked again within that time finds what others were answered; one that is slower asks the registry. */
export const defaultMemoryLimits: MemoryLimits = { size: 16 * 2 ** 20, ageMs: 5_000 };

/** An answer of the registry that said what had changed since a cursor. */
export interface KeptAnswer {
  readonly answer: JsonObject;
  /** When it was asked for, in milliseconds. */
  readonly at: number;
  /** How many hints its tail had heard by then. */
  readonly hints: number;
}

interface Kept extends KeptAnswer {
  readonly size: number;
  /** When it is dropped, in milliseconds. */
  readonly until: number;
}

/**
 * What the registry answered lately, for the watches that are still to ask it. What changed since a cursor stays true:
 * the answer's own cursor leads to whatever came later. So an answer may serve any watch that stands where it begins.
 */
export class AnswerMemory {
  readonly #limits: MemoryLimits;
  readonly #kept = new Map<string, Kept>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: MemoryLimits = defaultMemoryLimits) {
    this.#limits = limits;
  }

  /** How much it holds, in characters of JSON. */
  get size(): number {
    return this.#size;
  }

  find(key: string): KeptAnswer | undefined {
    this.#forget();
    return this.#kept.get(key);
  }

  keep(key: string, kept: KeptAnswer): void {
    this.#drop(key);
    const size = key.length + JSON.stringify(kept.answer).length;
    this.#kept.set(key, { ...kept, size, until: performance.now() + this.#limits.ageMs });
    this.#size += size;
    this.#forget();
    this.#timer ??= setTimeout(() => this.#sweep(), this.#limits.ageMs).unref();
  }

  #sweep(): void {
    this.#timer = undefined;
    this.#forget();
    if (this.#kept.size > 0) this.#timer = setTimeout(() => this.#sweep(), this.#limits.ageMs).unref();
  }

  /** Drops the oldest ones, as far as there are too many or their time is over. */
  #forget(): void {
    for (const [key, { until }] of this.#kept) {
      if (this.#size <= this.#limits.size && until > performance.now()) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}
