/** The value that a share of the sorted values does not pass: 0.5 gives the median, 0.99 the 99th percentile. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** How long a piece of work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Milliseconds as they are shown. */
export function ms(milliseconds: number): string {
  return `${milliseconds < 100 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)} ms`;
}

/** A ratio as it is shown. */
export function times(ratio: number): string {
  return `${ratio.toFixed(2)} x`;
}
