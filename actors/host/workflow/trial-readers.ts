import type { Timer } from '#world/concurrency/timer.ts';

/** The readers of a trial. They poll, so one that stops reading is gone. */
export class TrialReaders {
  readonly #clock: Pick<Timer, 'sleep'>;
  readonly #patienceMs: number;
  readonly #onGone: () => void;
  #reading = 0;
  #isClosed = false;
  #patience = new AbortController();

  /** @param onGone called after `patienceMs` milliseconds without a read */
  constructor(clock: Pick<Timer, 'sleep'>, patienceMs: number, onGone: () => void) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#onGone = onGone;
    this.#expect();
  }

  /** Runs one read. */
  async during<T>(read: () => Promise<T>): Promise<T> {
    this.#reading += 1;
    this.#patience.abort();
    try {
      return await read();
    } finally {
      this.#reading -= 1;
      if (this.#reading === 0 && !this.#isClosed) this.#expect();
    }
  }

  /** Stops expecting readers. */
  close(): void {
    this.#isClosed = true;
    this.#patience.abort();
  }

  #expect(): void {
    const patience = new AbortController();
    this.#patience = patience;
    this.#clock.sleep(this.#patienceMs, patience.signal).then(this.#onGone, () => undefined);
  }
}
