import type { JsonObject } from '@bufbuild/protobuf';
import { jsonLength } from './json-length.ts';

/** About how many characters of JSON of the registry's answers are cached, and for how long. */
export interface MemoryLimits {
  readonly size: number;
  readonly ageMs: number;
}

/** Watches that continue within that time share answers; slower ones ask the registry. */
export const defaultMemoryLimits: MemoryLimits = { size: 4 * 2 ** 20, ageMs: 5_000 };

/** The registry's answer with the changes since a cursor. */
export interface CachedAnswer {
  readonly answer: JsonObject;
  /** When it was requested, in milliseconds. */
  readonly at: number;
  /** How many hints its tail had received by then. */
  readonly hints: number;
}

interface CacheEntry extends CachedAnswer {
  readonly size: number;
  /** When it is dropped, in milliseconds. */
  readonly until: number;
}

/**
 * Caches recent answers of the registry for other watches. The changes since a cursor stay valid, because the answer's
 * own cursor leads to later ones. So an answer may serve any watch with the same cursor.
 */
export class AnswerMemory {
  readonly #limits: MemoryLimits;
  readonly #entries = new Map<string, CacheEntry>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: MemoryLimits = defaultMemoryLimits) {
    this.#limits = limits;
  }

  /** Its size, in about as many characters of JSON. */
  get size(): number {
    return this.#size;
  }

  find(key: string): CachedAnswer | undefined {
    this.#forget();
    return this.#entries.get(key);
  }

  keep(key: string, kept: CachedAnswer): void {
    this.drop(key);
    const size = key.length + jsonLength(kept.answer);
    this.#entries.set(key, { ...kept, size, until: performance.now() + this.#limits.ageMs });
    this.#size += size;
    this.#forget();
    this.#timer ??= setTimeout(() => this.#sweep(), this.#limits.ageMs).unref();
  }

  #sweep(): void {
    this.#timer = undefined;
    this.#forget();
    if (this.#entries.size > 0) this.#timer = setTimeout(() => this.#sweep(), this.#limits.ageMs).unref();
  }

  /** Drops the oldest answers, as far as there are too many or they have expired. */
  #forget(): void {
    for (const [key, { until }] of this.#entries) {
      if (this.#size <= this.#limits.size && until > performance.now()) return;
      this.drop(key);
    }
  }

  /** Forgets an answer, if it is there. */
  drop(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
