import { statSync } from 'node:fs';
import { Histogram, type HistogramReading } from '#contract/histogram.ts';

/** What a store counted since it was opened, and how large its files are, in bytes. */
export interface StoreFigures {
  readonly bytes: number;
  readonly walBytes: number;
  /** How long writes took, their turn's wait left out, in seconds. */
  readonly writes: HistogramReading;
  /** Facts that were written down, by kind. */
  readonly facts: Readonly<Record<string, number>>;
}

/** Counts what a store does. */
export class StoreMeasures {
  readonly #file: string;
  readonly #writes = new Histogram();
  readonly #facts = new Map<string, number>();

  constructor(file: string) {
    this.#file = file;
  }

  /** Notes a write that was committed: how many seconds it took, and the kinds of the facts that it appended. */
  wrote(seconds: number, kinds: readonly string[]): void {
    this.#writes.observe(seconds);
    for (const kind of kinds) this.#facts.set(kind, (this.#facts.get(kind) ?? 0) + 1);
  }

  read(): StoreFigures {
    return {
      bytes: sizeOf(this.#file),
      walBytes: sizeOf(`${this.#file}-wal`),
      writes: this.#writes.read(),
      facts: Object.fromEntries(this.#facts),
    };
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
