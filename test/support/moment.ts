import { setTimeout as pause } from 'node:timers/promises';

/** What a probe gives once it gives something; an error that names the moment where that takes longer than `patience` ms. */
export async function moment<T>(what: string, probe: () => T | Promise<T>, patience = 60_000): Promise<NonNullable<T>> {
  const deadline = performance.now() + patience;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`this did not come within ${patience} ms: ${what}`);
    await pause(10);
  }
}
