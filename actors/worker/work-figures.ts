import { Histogram } from '#contract/histogram.ts';
import type { PollerReading, RegistryFigures } from '#contract/wire/figures.ts';

/** The metrics of a poller since the process started. */
export interface PollerFigures {
  /** How long each pass took, in seconds, also if it failed. */
  readonly passes: Histogram;
  faults: number;
}

/** How leased work ended: recorded, released at a stop, finished after its lease had expired, or failed. */
export type WorkOutcome = 'settled' | 'released' | 'lost' | 'failed';

/** Metrics of a process's pollers and leased workers, by name. */
export class WorkFigures {
  readonly #workers = new Map<string, Partial<Record<WorkOutcome, number>>>();
  readonly #pollers = new Map<string, PollerFigures>();

  /** The metrics of a poller. Pollers with the same name share them. */
  poller(name: string): PollerFigures {
    const known = this.#pollers.get(name) ?? { passes: new Histogram(), faults: 0 };
    this.#pollers.set(name, known);
    return known;
  }

  pollers(): Readonly<Record<string, PollerReading>> {
    return Object.fromEntries(
      [...this.#pollers].map(([name, { passes, faults }]) => [name, { passes: passes.read(), faults }]),
    );
  }

  /** Counts a row that a worker has finished. */
  count(worker: string, outcome: WorkOutcome): void {
    const known = this.#workers.get(worker) ?? {};
    this.#workers.set(worker, { ...known, [outcome]: (known[outcome] ?? 0) + 1 });
  }

  workers(): RegistryFigures['workers'] {
    return Object.fromEntries(this.#workers);
  }
}
