import { isDatabaseFault } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import type { Timer } from '#world/concurrency/timer.ts';

/** How long to wait before a registry that cannot be reached, or that refuses what is asked, is asked again, in milliseconds. */
const pauseMs = 500;
export const refusedMs = 5_000;

/** Whether a failure only says that the registry cannot be reached, or cannot write, just now. */
export function isPassing(error: unknown): boolean {
  if (isDatabaseFault(error)) return true;
  return error instanceof Failure && (error.code === 'unavailable' || error.code === 'deadline_exceeded');
}

/** Does a piece of work; where it takes longer than so many milliseconds, `late` is called, once, while it goes on. */
export async function unlessWithin<T>(clock: Timer, ms: number, work: () => Promise<T>, late: () => void): Promise<T> {
  const done = new AbortController();
  clock.sleep(ms, done.signal).then(late, () => undefined);
  try {
    return await work();
  } finally {
    done.abort();
  }
}

/**
 * Does a piece of work again and again until the registry answers. Any other failure is thrown.
 * @throws the signal's reason when it is aborted
 */
export async function patiently<T>(clock: Timer, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}

/**
 * As `patiently`, also where the registry refuses, whatever its code: that is told once, and mended by others while it waits.
 * @throws the signal's reason when it is aborted
 */
export async function onceLetIn<T>(
  clock: Timer,
  signal: AbortSignal,
  work: () => Promise<T>,
  onRefused: (refusal: Failure) => void,
): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await patiently(clock, signal, work);
    } catch (error) {
      if (!(error instanceof Failure) || signal.aborted) throw error;
      if (!isTold) onRefused(error);
      await clock.sleep(refusedMs, signal);
    }
  }
}
