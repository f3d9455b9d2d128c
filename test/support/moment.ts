import { setTimeout as pause } from 'node:timers/promises';

/** The shortest and the longest time between two probes, in milliseconds. */
const [pauseLeast, pauseMost] = [10, 100];

/**
 * What a probe gives once it gives something; an error that names the moment where that takes longer than `patience` ms.
 * What has taken long already is asked for less often, for a probe may keep several processes busy: the moment is seen a tenth
 * of its own time later, or 100 ms, whichever is less.
 */
export async function moment<T>(what: string, probe: () => T | Promise<T>, patience = 60_000): Promise<NonNullable<T>> {
  const started = performance.now();
  for (;;) {
    const asked = performance.now();
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found;
    const now = performance.now();
    if (now - started > patience) throw new Error(`this did not come within ${patience} ms: ${what}`);
    await pause(Math.min(pauseMost, Math.max(pauseLeast, (now - started) / 10, 2 * (now - asked))));
  }
}
