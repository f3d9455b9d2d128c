import type { Timer } from '#world/timer.ts';

/** One pane's next look, and whether one is under way. */
interface Entry {
  /** When it is due; undefined where none is. */
  due: number | undefined;
  /** Wakes it up where it is due earlier than it was. */
  wake: AbortController;
  running: boolean;
}

/**
 * When each pane is looked at next. A pane is looked at by one at a time; what is asked for while a look is under way is
 * done after it, for that look may have come too early; and the earliest time that was asked for counts.
 */
export class LookSchedule {
  readonly #clock: Timer;
  readonly #look: (paneId: string) => Promise<number | undefined>;
  readonly #entries = new Map<string, Entry>();
  readonly #stop = new AbortController();

  /** @param look looks at a pane and tells after how many milliseconds it wants to look again; it must not throw */
  constructor(clock: Timer, look: (paneId: string) => Promise<number | undefined>) {
    this.#clock = clock;
    this.#look = look;
  }

  /** Asks for a look after so many milliseconds. */
  ask(paneId: string, afterMs: number): void {
    if (this.#stop.signal.aborted) return;
    const entry = this.#entries.get(paneId) ?? { due: undefined, wake: new AbortController(), running: false };
    this.#entries.set(paneId, entry);
    const due = this.#clock.now() + afterMs;
    if (entry.due !== undefined && entry.due <= due) return;
    entry.due = due;
    entry.wake.abort();
    if (!entry.running) void this.#run(paneId, entry);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #run(paneId: string, entry: Entry): Promise<void> {
    entry.running = true;
    while (entry.due !== undefined && !this.#stop.signal.aborted) {
      if (!(await this.#isDue(entry, entry.due))) continue;
      entry.due = undefined;
      const again = await this.#look(paneId);
      if (again !== undefined) this.ask(paneId, again);
    }
    this.#entries.delete(paneId);
  }

  /** Waits until it is due; false where something else was asked for meanwhile. */
  async #isDue(entry: Entry, due: number): Promise<boolean> {
    entry.wake = new AbortController();
    const signal = AbortSignal.any([entry.wake.signal, this.#stop.signal]);
    return this.#clock.sleep(Math.max(0, due - this.#clock.now()), signal).then(
      () => true,
      () => false,
    );
  }
}
