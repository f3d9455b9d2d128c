import { uptime } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, MonotonicClock } from '#contract/clock.ts';
import { SteadyClock } from '#world/steady-clock.ts';

/** A clock that can also wait. */
export interface Timer extends Clock {
  /** Resolves after this many milliseconds, or rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer with the wall clock and a monotonic clock. */
export type MachineTimer = Timer & MonotonicClock;

/**
 * Node's monotonic clock stops while the computer sleeps. A difference to the other clock below this, in milliseconds,
 * may be due to that clock's resolution.
 */
const coarseness = 2_000;
/** The resolution of the computer's uptime, in milliseconds, which is not read more often. */
const resolution = 10;
const readUptime = (): number => uptime() * 1_000 - performance.now();
const uptimeAtStart = readUptime();
let readAt = performance.now();
let slept = 0;

const monotonic = (): number => {
  const now = performance.now();
  if (now - readAt < resolution) return now + slept;
  readAt = now;
  const ahead = readUptime() - uptimeAtStart;
  if (ahead > slept + coarseness) slept = ahead;
  return now + slept;
};

const sleep: Timer['sleep'] = (ms, signal) => delay(ms, undefined, signal ? { signal } : {});

/** The computer's own clock. */
export const systemTimer: MachineTimer = { now: () => Date.now(), monotonic, sleep };

/** A timer whose time is that at the process's start plus the elapsed time, so that it never steps. */
export function steadyTimer(clock: MachineTimer = systemTimer): Timer {
  const steady = new SteadyClock(clock);
  return { now: () => steady.now(), sleep: (ms, signal) => clock.sleep(ms, signal) };
}
