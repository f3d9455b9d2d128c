import { isLastingRefusal } from '#bus/report-once.ts';
import { Failure } from '#contract/failure.ts';
import { isTransient } from '#contract/transient.ts';
import type { Timer } from '#world/concurrency/timer.ts';

/** The pauses before a retry, if the registry cannot be reached and if it refuses the request, in milliseconds. */
const pauseMs = 500;
export const refusedMs = 5_000;

/** Runs a task. If it takes longer than this many milliseconds, calls `late` once; the task continues. */
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
 * Repeats a task until the registry answers. Any other failure is thrown.
 * @throws the signal's reason when it is aborted
 */
export async function retry<T>(clock: Timer, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}

/**
 * Like `retry`, but also retries when the registry refuses, with any code. Reports the first refusal, because a
 * person has to fix the cause.
 * @throws the signal's reason when it is aborted
 */
export async function retryUntilAccepted<T>(
  clock: Timer,
  signal: AbortSignal,
  work: () => Promise<T>,
  onRefused: (refusal: Failure) => void,
): Promise<T> {
  for (let isReported = false; ; ) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failure) || signal.aborted) throw error;
      const isAway = isTransient(error) && !isLastingRefusal(error);
      if (!isAway && !isReported) onRefused(error);
      isReported ||= !isAway;
      await clock.sleep(isAway ? pauseMs : refusedMs, signal);
    }
  }
}
