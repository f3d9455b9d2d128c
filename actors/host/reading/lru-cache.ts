/** An LRU cache of computed values. */
export class LruCache<T> {
  readonly #known = new Map<string, T>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, compute: () => T): T {
    const known = this.#known.get(key);
    const found = known === undefined ? compute() : known;
    this.#known.delete(key);
    this.#known.set(key, found);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#max) break;
      this.#known.delete(oldest);
    }
    return found;
  }
}
