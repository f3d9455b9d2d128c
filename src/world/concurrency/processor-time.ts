import { withinTime } from './time-limit.ts';

/** By how much the clock's limit grows from one run to the next: as much as the last share of the processor suggests. */
const [minFactor, maxFactor] = [1.1, 4];
/**
 * How many times its limit the work may hold up its thread, by the clock: on a busy computer whoever asks for such work
 * must not stop everything else.
 */
const maxSlowdown = 10;

/**
 * Runs synchronous work and aborts it once it has taken so many milliseconds of the processor: other processes may keep
 * the processor from this one. Returns undefined if it was aborted. `within` aborts what exceeds a time of the clock. The
 * work may run several times, for `maxSlowdown` times as long by the clock altogether.
 */
export function withinProcessorTime<T>(
  maxMs: number,
  work: () => T,
  within: typeof withinTime = withinTime,
): T | undefined {
  let leftMs = maxMs * maxSlowdown;
  for (let limitMs = maxMs; ; ) {
    const start = process.threadCpuUsage();
    const ran = within(limitMs, () => ({ result: work() }));
    if (ran !== undefined) return ran.result;
    const usedMs = processorMs(start);
    leftMs -= limitMs;
    if (usedMs >= maxMs || leftMs <= 0) return undefined;
    limitMs = Math.min(
      leftMs,
      Math.ceil(limitMs * Math.min(maxFactor, Math.max(minFactor, (minFactor * maxMs) / usedMs))),
    );
  }
}

/** The time of the processor that this thread has taken since then, in milliseconds. */
function processorMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}
