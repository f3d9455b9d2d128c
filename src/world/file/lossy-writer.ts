import { writeSync } from 'node:fs';

/** How often to retry for a slow reader, and how long to wait each time, in milliseconds. */
const tries = 20;
const pauseMs = 5;

const nap = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes lines immediately, and drops those that cannot be written, so that a full or broken disk does not end a
 * process because of its log. The number of dropped lines is logged before the next line that succeeds.
 */
export class LossyWriter {
  readonly #reportLost: (count: number) => string;
  #lost = 0;
  /** Whether the last line was written only partially. */
  #isTorn = false;

  constructor(reportLost: (count: number) => string) {
    this.#reportLost = reportLost;
  }

  /** Writes a line to the file that `open` returns. Returns whether it succeeded. */
  write(open: () => number, line: string): boolean {
    try {
      const notice = this.#lost > 0 ? this.#reportLost(this.#lost) : '';
      this.#writeAll(open(), Buffer.from(`${this.#isTorn ? '\n' : ''}${notice}${line}`));
      this.#lost = 0;
      this.#isTorn = false;
      return true;
    } catch {
      this.#lost += 1;
      return false;
    }
  }

  #writeAll(file: number, bytes: Buffer): void {
    let tried = 0;
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(file, bytes, at);
        this.#isTorn = at < bytes.length;
      } catch (error) {
        const isSlow = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
        tried += 1;
        if (!isSlow || tried > tries) throw error;
        Atomics.wait(nap, 0, 0, pauseMs);
      }
    }
  }
}
