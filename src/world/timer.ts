import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#contract/clock.ts';

/** A clock that can also be waited on. */
export interface Timer extends Clock {
  /** Resolves after so many milliseconds, or rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemTimer: Timer = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}),
};
