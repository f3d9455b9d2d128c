import { read } from 'node:fs';
import { digestsWithin, pageBytes } from './page-digests.ts';

/** How many pages are read at a time, and how long after those before, in milliseconds: a MiB a second. */
const sliceOf = 64;
const sliceEvery = 250;
/** How long a round through all pages takes at least, in milliseconds. */
const minRoundMs = 10_000;

/** What a slice is handed to. */
interface Reader {
  /** Counts what changed the file: a slice during which it did is read again. */
  readonly changes: () => number;
  /** Takes the digests of some pages, by the place of the first of them; returns whether it could judge them now. */
  readonly compare: (from: number, found: readonly number[]) => boolean;
  /** Called when a slice could not be read. */
  readonly failed: (error: Error) => void;
}

/**
 * Reads the pages of an open file round after round, a slice at a time, and keeps its thread from nothing meanwhile.
 */
export class PageRounds {
  readonly #file: number;
  readonly #reader: Reader;
  readonly #slice = Buffer.alloc(sliceOf * pageBytes);
  #timer: NodeJS.Timeout;
  #hasStopped = false;
  #began = performance.now();

  constructor(file: number, reader: Reader) {
    this.#file = file;
    this.#reader = reader;
    this.#timer = setTimeout(() => this.#look(0), sliceEvery);
  }

  stop(): void {
    this.#hasStopped = true;
    clearTimeout(this.#timer);
  }

  #look(from: number): void {
    const { changes, compare, failed } = this.#reader;
    const before = changes();
    read(this.#file, this.#slice, 0, this.#slice.length, from * pageBytes, (error, bytes) => {
      if (this.#hasStopped) return;
      if (error !== null) failed(error);
      else if (before !== changes() || !compare(from, digestsWithin(this.#slice.subarray(0, bytes)))) {
        return this.#after(from, sliceEvery);
      }
      if (error !== null || bytes === this.#slice.length) return this.#after(from + sliceOf, sliceEvery);
      const left = this.#began + minRoundMs - performance.now();
      this.#after(0, Math.max(sliceEvery, left));
    });
  }

  #after(from: number, pauseMs: number): void {
    this.#timer = setTimeout(() => {
      if (from === 0) this.#began = performance.now();
      this.#look(from);
    }, pauseMs);
  }
}
