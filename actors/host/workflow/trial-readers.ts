import type { Timer } from '#world/concurrency/timer.ts';

/** Whoever follows a trial: it reads it again and again, so one that stays away has gone. */
export class TrialReaders {
  readonly #clock: Pick<Timer, 'sleep'>;
  readonly #patienceMs: number;
  readonly #onGone: () => void;
  #reading = 0;
  #isClosed = false;
  #patience = new AbortController();

  /** @param onGone called when nobody has read for `patienceMs`, from now on or since the last reading ended */
  constructor(clock: Pick<Timer, 'sleep'>, patienceMs: number, onGone: () => void) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#onGone = onGone;
    this.#expect();
  }

  /** Does one reading. */
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

  /** Nobody is expected any more. */
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
