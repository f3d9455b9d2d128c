import { read } from 'node:fs';
import { digestsWithin, pageBytes } from './page-digests.ts';

/** How many pages are read at a time, and the pause before the next ones, in milliseconds: 1 MiB a second. */
const sliceOf = 64;
const sliceEvery = 250;
/** The minimum duration of a pass over all pages, in milliseconds. */
const minPassMs = 10_000;

/** Checks the slices that a scrubber reads. */
interface SliceChecker {
  /** Counts the changes of the file. A slice is read again if the file changed meanwhile. */
  readonly changes: () => number;
  /** Compares the digests of a slice's pages, whose first has the index `from`; false if that is not possible now. */
  readonly compare: (from: number, found: readonly number[]) => boolean;
  /** Called when a slice could not be read. */
  readonly failed: (error: Error) => void;
}

/** Reads all pages of an open file again and again, a slice at a time, without blocking its thread. */
export class PageScrubber {
  readonly #file: number;
  readonly #checker: SliceChecker;
  readonly #slice = Buffer.alloc(sliceOf * pageBytes);
  #timer: NodeJS.Timeout;
  #hasStopped = false;
  #began = performance.now();

  constructor(file: number, checker: SliceChecker) {
    this.#file = file;
    this.#checker = checker;
    this.#timer = setTimeout(() => this.#readSlice(0), sliceEvery);
  }

  stop(): void {
    this.#hasStopped = true;
    clearTimeout(this.#timer);
  }

  #readSlice(from: number): void {
    const { changes, compare, failed } = this.#checker;
    const before = changes();
    read(this.#file, this.#slice, 0, this.#slice.length, from * pageBytes, (error, bytes) => {
      if (this.#hasStopped) return;
      if (error !== null) failed(error);
      else if (before !== changes() || !compare(from, digestsWithin(this.#slice.subarray(0, bytes)))) {
        return this.#schedule(from, sliceEvery);
      }
      if (error !== null || bytes === this.#slice.length) return this.#schedule(from + sliceOf, sliceEvery);
      const left = this.#began + minPassMs - performance.now();
      this.#schedule(0, Math.max(sliceEvery, left));
    });
  }

  #schedule(from: number, pauseMs: number): void {
    this.#timer = setTimeout(() => {
      if (from === 0) this.#began = performance.now();
      this.#readSlice(from);
    }, pauseMs);
  }
}
