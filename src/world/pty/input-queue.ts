import { writeSync } from 'node:fs';

const shortestPause = 1;
const longestPause = 50;

/**
 * Writes what is typed into a pane as fast as its program reads it. node-pty itself would retry without a pause, so a
 * program that does not read would cost a whole core, and would continue after the terminal is closed, when its
 * descriptor may belong to another file.
 */
export class InputQueue {
  readonly #fd: number;
  readonly #waiting: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #pause = shortestPause;
  #open = true;

  constructor(fd: number) {
    this.#fd = fd;
  }

  push(text: string): void {
    if (!this.#open || text === '') return;
    this.#waiting.push(Buffer.from(text));
    if (this.#timer === undefined) this.#handOver();
  }

  /** Stops writing. */
  close(): void {
    this.#open = false;
    this.#waiting.length = 0;
    clearTimeout(this.#timer);
  }

  #handOver(): void {
    this.#timer = undefined;
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const taken = this.#write(next);
      if (taken === 0) {
        this.#later();
        return;
      }
      this.#pause = shortestPause;
      if (taken < next.length) this.#waiting[0] = next.subarray(taken);
      else this.#waiting.shift();
    }
  }

  /** Returns how many bytes the terminal accepted; 0 if its program does not keep up. */
  #write(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      // The program has ended, so there is nothing to type to.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') this.close();
      return 0;
    }
  }

  #later(): void {
    if (!this.#open) return;
    this.#timer = setTimeout(() => this.#handOver(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, longestPause);
  }
}
