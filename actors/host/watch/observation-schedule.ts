import type { Timer } from '#world/concurrency/timer.ts';

/** One pane's next observation, and whether one is in progress. */
interface Entry {
  /** When it is due; undefined if none is. */
  due: number | undefined;
  running: boolean;
}

/**
 * Schedules the next observation of each pane. A pane has one observation at a time. A request during an observation
 * runs after it, because that observation may have begun too early; of several requests the earliest counts.
 */
export class ObservationSchedule {
  readonly #clock: Timer;
  readonly #observe: (paneId: string) => Promise<number | undefined>;
  readonly #entries = new Map<string, Entry>();
  readonly #stop = new AbortController();
  /** When the next timer fires; undefined if none is set. */
  #wakes: number | undefined;

  /** @param observe observes a pane and returns the milliseconds until the next observation; it must not throw */
  constructor(clock: Timer, observe: (paneId: string) => Promise<number | undefined>) {
    this.#clock = clock;
    this.#observe = observe;
  }

  /** Requests an observation after this many milliseconds. */
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

  /** Sets a timer, unless an earlier one is set. A later timer may remain: it will find nothing due. */
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
    const again = await this.#observe(paneId);
    if (again !== undefined) this.ask(paneId, again);
    entry.running = false;
    if (entry.due === undefined) this.#entries.delete(paneId);
    else if (!this.#stop.signal.aborted) this.#wakeAt(entry.due);
  }
}
