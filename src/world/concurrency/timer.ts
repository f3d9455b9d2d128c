import { uptime } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, MonotonicClock } from '#contract/clock.ts';
import { SteadyClock } from '#world/steady-clock.ts';

/** A clock that can also be waited on. */
export interface Timer extends Clock {
  /** Resolves after this many milliseconds, or rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer with the machine's time and the elapsed time. */
export type MachineTimer = Timer & MonotonicClock;

/**
 * The process's own count stands still while the machine sleeps; a difference below this may be the coarseness of the
 * other.
 */
const coarseness = 2_000;
const readUptime = (): number => uptime() * 1_000 - performance.now();
const uptimeAtStart = readUptime();
let slept = 0;

const monotonic = (): number => {
  const ahead = readUptime() - uptimeAtStart;
  if (ahead > slept + coarseness) slept = ahead;
  return performance.now() + slept;
};

const sleep: Timer['sleep'] = (ms, signal) => delay(ms, undefined, signal ? { signal } : {});

/** The machine's own clock. */
export const systemTimer: MachineTimer = { now: () => Date.now(), monotonic, sleep };

/** A timer that shows the time of day as it was when the process started, and what has passed since: it never steps. */
export function steadyTimer(clock: MachineTimer = systemTimer): Timer {
  const steady = new SteadyClock(clock);
  return { now: () => steady.now(), sleep: (ms, signal) => clock.sleep(ms, signal) };
}
