/** The quantile of the values: 0.5 gives the median, 0.99 the 99th percentile. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The median of the values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Runs work, and returns how long it took in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Formats milliseconds. */
export function ms(milliseconds: number): string {
  return `${milliseconds < 100 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)} ms`;
}

/** Formats a ratio. */
export function times(ratio: number): string {
  return `${ratio.toFixed(2)} x`;
}
