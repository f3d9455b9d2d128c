import { writeSync } from 'node:fs';

const shortestPause = 1;
const longestPause = 50;

/**
 * What is typed into a pane, handed over as fast as its program takes it. node-pty's own way tries again without a
 * pause, so that a program which does not read would cost a whole core, and continues after the terminal is closed,
 * when its number may mean another file.
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

  /** Nothing is handed over from now on. */
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

  /** How many bytes the terminal took; none if its program does not keep up. */
  #write(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      // The program has ended: there is nobody left to type to.
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
