import { setTimeout as pause } from 'node:timers/promises';

/** The shortest and the longest time between two probes, in milliseconds. */
const [minPauseMs, maxPauseMs] = [10, 150];
/**
 * How much longer than a probe took it is left alone after it: a test that waits is not to keep busy what it waits for.
 */
const pausePerProbe = 8;

/**
 * Resolves with the first value of a probe. Rejects with an error that names the moment if it takes over `patience` ms.
 * A condition that has taken long is checked less often, because a probe may keep several processes busy: the moment is
 * seen a tenth of its own time later, or 150 ms, whichever is less.
 */
export async function moment<T>(
  what: string,
  probe: () => T | Promise<T>,
  patience = 120_000,
): Promise<NonNullable<T>> {
  const started = performance.now();
  for (;;) {
    const asked = performance.now();
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found;
    const now = performance.now();
    if (now - started > patience) throw new Error(`this did not come within ${patience} ms: ${what}`);
    await pause(Math.min(maxPauseMs, Math.max(minPauseMs, (now - started) / 10, pausePerProbe * (now - asked))));
  }
}
