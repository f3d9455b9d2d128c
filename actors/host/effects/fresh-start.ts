import type { MonotonicClock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';

/**
 * How long the registry's approval of a start is valid, in milliseconds: less than the silence after which this host
 * counts as silent.
 */
const startsWithin = 20_000;

/**
 * Called right before the registry is asked about a start. Returns a function to call right before the start itself. A
 * host that was disconnected or suspended in between starts nothing, and asks again.
 * @throws UNAVAILABLE (the returned function) when too much time has passed
 */
export function freshStart(clock: Pick<MonotonicClock, 'monotonic'>): () => void {
  const asked = clock.monotonic();
  return () => {
    if (clock.monotonic() - asked < startsWithin) return;
    throw new Failure('PERMIT_EXPIRED', 'Nothing was started: this host was stopped or cut off since it asked');
  };
}
