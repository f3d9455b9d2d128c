import { z } from 'zod';

/** The content of a histogram: the number of values, their sum, and cumulative counts by upper bound. */
export const HistogramReading = z.object({
  count: z.int(),
  sum: z.number(),
  /** Each upper bound, ascending, with the number of values at or below it. */
  buckets: z.array(z.tuple([z.number(), z.int()])),
});
export type HistogramReading = z.infer<typeof HistogramReading>;

/** Upper bounds in seconds, for durations from half a millisecond to ten seconds. */
export const secondBounds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Upper bounds in seconds, for what may also take minutes, such as a person's script. */
export const stepBounds: readonly number[] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** Upper bounds in seconds, for lateness that may include a computer being off. */
export const latenessBounds: readonly number[] = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 86_400];

/** Counts values by size, in constant memory. */
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
