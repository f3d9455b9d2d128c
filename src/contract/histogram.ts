import { z } from 'zod';

/** What a histogram holds: how many values there were, their sum, and how many were at most each bound. */
export const HistogramReading = z.object({
  count: z.int(),
  sum: z.number(),
  /** Each bound with how many values were at most that, the smallest bound first. */
  buckets: z.array(z.tuple([z.number(), z.int()])),
});
export type HistogramReading = z.infer<typeof HistogramReading>;

/** Bounds in seconds for what takes from half a millisecond to ten seconds. */
export const secondBounds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Bounds in seconds for what may also take minutes, such as a script that a person wrote. */
export const stepBounds: readonly number[] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** Bounds in seconds for how late something is that may also wait for a machine to be switched on. */
export const latenessBounds: readonly number[] = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 86_400];

/** Counts values by how large they are, in memory that does not grow. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  constructor(bounds: readonly number[] = secondBounds) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#count += 1;
    this.#sum += value;
    const place = this.#bounds.findIndex((bound) => value <= bound);
    if (place >= 0) this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  read(): HistogramReading {
    let below = 0;
    const buckets = this.#bounds.map((bound, place): [number, number] => {
      below += this.#counts[place] ?? 0;
      return [bound, below];
    });
    return { count: this.#count, sum: this.#sum, buckets };
  }
}
