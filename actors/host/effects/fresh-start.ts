import type { MonotonicClock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';

/**
 * How long after the registry was asked something may be started, in milliseconds: less than the silence after which
 * nobody counts on this host any more.
 */
const startsWithin = 20_000;

/**
 * Called right before the registry is asked about a start; returns what to call right before the start itself. A host
 * that was cut off or stopped in between starts nothing, and asks again.
 * @throws UNAVAILABLE (the returned function) when too much time has passed since
 */
export function freshStart(clock: Pick<MonotonicClock, 'monotonic'>): () => void {
  const asked = clock.monotonic();
  return () => {
    if (clock.monotonic() - asked < startsWithin) return;
    throw new Failure('PERMIT_EXPIRED', 'Nothing was started: this host was stopped or cut off since it asked');
  };
}
