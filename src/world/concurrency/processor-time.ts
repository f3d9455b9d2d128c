import { withinTime } from './time-limit.ts';

/**
 * Runs synchronous work and aborts it once it has taken so many milliseconds of the processor: other processes may keep
 * the processor from this one. Returns undefined if it was aborted. `within` aborts what exceeds a time of the clock. The
 * work may run several times.
 */
export function withinProcessorTime<T>(
  maxMs: number,
  work: () => T,
  within: typeof withinTime = withinTime,
): T | undefined {
  for (let limitMs = maxMs; ; limitMs *= 2) {
    const start = process.threadCpuUsage();
    const ran = within(limitMs, () => ({ result: work() }));
    if (ran !== undefined) return ran.result;
    if (processorMs(start) >= maxMs) return undefined;
  }
}

/** The time of the processor that this thread has taken since then, in milliseconds. */
function processorMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}
