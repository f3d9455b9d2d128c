import { Histogram } from '#contract/histogram.ts';
import type { RegistryFigures } from '#contract/wire/figures.ts';
import type { OpenDatabase } from './engine.ts';
import { oneAtATime, type Turns } from './turns.ts';

/** A store's counters since it was opened, and the sizes of its files. */
export type StoreFigures = Pick<RegistryFigures, 'database' | 'facts' | 'transitions'>;

/** A transition of a machine, without the instance. */
export interface CountedTransition {
  readonly machine: string;
  /** Empty for a new instance. */
  readonly from: string;
  readonly to: string;
}

/** What a write appended to the logs. */
export interface LogAppend {
  readonly facts: readonly { readonly kind: string }[];
  readonly transitions: readonly CountedTransition[];
}

/** Counts what a store does. */
export class StoreMeasures {
  readonly #database: Pick<OpenDatabase, 'kindOf' | 'sizes'>;
  readonly #times = { reads: new Histogram(), writes: new Histogram(), waits: new Histogram() };
  readonly #facts = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #transitions = new Map<string, CountedTransition & { count: number }>();
  #waiting = 0;

  constructor(database: Pick<OpenDatabase, 'kindOf' | 'sizes'>) {
    this.#database = database;
  }

  /** Runs one piece of work at a time, and records how long each waits and takes. */
  turns(what: 'reads' | 'writes'): Turns {
    const turns = oneAtATime();
    return (work) => {
      const asked = performance.now();
      this.#waiting += 1;
      return turns(async (release) => {
        const started = performance.now();
        this.#waiting -= 1;
        this.#times.waits.observe((started - asked) / 1_000);
        const done = await work(release);
        this.#times[what].observe((performance.now() - started) / 1_000);
        return done;
      });
    };
  }

  /** Counts the failure of a piece of work if the database caused it. */
  failed(error: unknown): void {
    const kind = this.#database.kindOf(error);
    if (kind !== undefined) countUp(this.#failures, kind);
  }

  /** Counts what a committed write appended. */
  wrote({ facts, transitions }: LogAppend): void {
    for (const { kind } of facts) countUp(this.#facts, kind);
    for (const { machine, from, to } of transitions) {
      const key = `${machine} ${from} ${to}`;
      const known = this.#transitions.get(key) ?? { machine, from, to, count: 0 };
      known.count += 1;
      this.#transitions.set(key, known);
    }
  }

  read(): StoreFigures {
    const { reads, writes, waits } = this.#times;
    return {
      facts: Object.fromEntries(this.#facts),
      transitions: [...this.#transitions.values()].map((one) => ({ ...one })),
      database: {
        ...this.#database.sizes(),
        reads: reads.read(),
        writes: writes.read(),
        waits: waits.read(),
        waiting: this.#waiting,
        failures: Object.fromEntries(this.#failures),
      },
    };
  }
}

function countUp(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
