import { randomUUID } from 'node:crypto';
import type { Store } from '#store/store.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { systemTimer } from '#world/concurrency/timer.ts';

/** How long a lock outlives a registry that dies with it, how often it is renewed, and tried, in milliseconds. */
const [leaseMs, renewEvery, tryEvery] = [4_000, 1_000, 200];

/**
 * Does work while nobody else does work of this name, also at another registry of the same database. A registry that
 * stalls for long may lose the lock unnoticed: what must not happen twice is checked again where it is written.
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
    // What was done is done: a lease that cannot be removed ends.
    await store.write(({ leases }) => leases.remove(name, holder)).catch(() => undefined);
  }
}
