import { randomUUID } from 'node:crypto';
import type { Store } from '#store/store.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { systemTimer } from '#world/concurrency/timer.ts';

/**
 * How long a lock outlives its registry, how often it is renewed, and how often a taken one is tried, in milliseconds.
 */
const [leaseMs, renewEvery, tryEvery] = [4_000, 1_000, 200];

/**
 * Runs work under a lock of this name, which all registries of the database share. A registry that stalls for long may
 * lose the lock without noticing: whatever must not happen twice is checked again where it is written.
 */
export function withSharedMutex<T>(store: Store, name: string, work: () => Promise<T>): Promise<T> {
  return withMutex(name, () => (store.sharedTime === undefined ? work() : withLease(store, name, work)));
}

async function withLease<T>(store: Store, name: string, work: () => Promise<T>): Promise<T> {
  const holder = randomUUID();
  const take = () => store.write(({ leases }) => leases.take(name, { holder }, leaseMs));
  while ((await take()) === undefined) await systemTimer.sleep(tryEvery);
  let renewal: Promise<unknown> = Promise.resolve();
  const renewing = setInterval(() => {
    renewal = take().catch(() => undefined);
  }, renewEvery);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await renewal;
    // The work is done. A lease that cannot be removed expires.
    await store.write(({ leases }) => leases.remove(name, holder)).catch(() => undefined);
  }
}
