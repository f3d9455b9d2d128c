import { setImmediate as soon } from 'node:timers/promises';
import type { Timer } from '#world/concurrency/timer.ts';

/** A timer that is stopped until a test advances it. */
export interface TestTimer extends Timer {
  /** Moves it on, in steps of 5 ms at most, and lets everything go on that was waiting until then. */
  pass(milliseconds: number): Promise<void>;
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** A timer that begins at a full second. */
export function testTimer(): TestTimer {
  let now = 1_000_000;
  let sleepers: Sleeper[] = [];
  const step = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    const due = sleepers.filter((sleeper) => sleeper.due <= now);
    sleepers = sleepers.filter((sleeper) => sleeper.due > now);
    for (const { wake } of due) wake();
    await soon();
  };
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ due: now + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    async pass(milliseconds) {
      const end = now + milliseconds;
      do await step(Math.min(5, end - now));
      while (now < end);
    },
  };
}
