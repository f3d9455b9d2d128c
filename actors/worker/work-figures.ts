import { Histogram } from '#contract/histogram.ts';
import type { PollerReading, RegistryFigures } from '#contract/wire/figures.ts';

/** What a poller has done since the process started. */
export interface PollerFigures {
  /** How long passes took, whatever the result, in seconds. */
  readonly passes: Histogram;
  faults: number;
}

/** How leased work ended: recorded, given back at a stop, too late, or not at all. */
export type WorkOutcome = 'settled' | 'released' | 'lost' | 'failed';

/** Counts what the pollers and leased workers of a process do, each by its name. */
export class WorkFigures {
  readonly #workers = new Map<string, Partial<Record<WorkOutcome, number>>>();
  readonly #pollers = new Map<string, PollerFigures>();

  /** The figures of a poller: those of an earlier one of its name continue. */
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

  /** Counts a row that a worker is done with. */
  count(worker: string, outcome: WorkOutcome): void {
    const known = this.#workers.get(worker) ?? {};
    this.#workers.set(worker, { ...known, [outcome]: (known[outcome] ?? 0) + 1 });
  }

  workers(): RegistryFigures['workers'] {
    return Object.fromEntries(this.#workers);
  }
}
