import type { Timer } from '#world/concurrency/timer.ts';

/** One pane's next look, and whether one is under way. */
interface Entry {
  /** When it is due; undefined where none is. */
  due: number | undefined;
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
  /** When it wakes up next; undefined where it does not. */
  #wakes: number | undefined;

  /** @param look looks at a pane and tells after how many milliseconds it wants to look again; it must not throw */
  constructor(clock: Timer, look: (paneId: string) => Promise<number | undefined>) {
    this.#clock = clock;
    this.#look = look;
  }

  /** Asks for a look after so many milliseconds. */
  ask(paneId: string, afterMs: number): void {
    if (this.#stop.signal.aborted) return;
    const entry = this.#entries.get(paneId) ?? { due: undefined, running: false };
    this.#entries.set(paneId, entry);
    const due = this.#clock.now() + afterMs;
    if (entry.due !== undefined && entry.due <= due) return;
    entry.due = due;
    if (!entry.running) this.#wakeAt(due);
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Sees to it that it wakes up by then. Where it was to wake up later, that does no harm: nothing will be due. */
  #wakeAt(due: number): void {
    if (this.#wakes !== undefined && this.#wakes <= due) return;
    this.#wakes = due;
    this.#clock.sleep(Math.max(0, due - this.#clock.now()), this.#stop.signal).then(
      () => this.#awake(due),
      () => undefined,
    );
  }

  #awake(due: number): void {
    if (this.#wakes === due) this.#wakes = undefined;
    const now = this.#clock.now();
    for (const [paneId, entry] of this.#entries) {
      if (entry.running || entry.due === undefined) continue;
      if (entry.due <= now) void this.#run(paneId, entry);
      else this.#wakeAt(entry.due);
    }
  }

  async #run(paneId: string, entry: Entry): Promise<void> {
    entry.running = true;
    entry.due = undefined;
    const again = await this.#look(paneId);
    if (again !== undefined) this.ask(paneId, again);
    entry.running = false;
    if (entry.due === undefined) this.#entries.delete(paneId);
    else if (!this.#stop.signal.aborted) this.#wakeAt(entry.due);
  }
}
