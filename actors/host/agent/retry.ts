import { Failure } from '#contract/failure.ts';
import { isTransient } from '#contract/transient.ts';
import type { Timer } from '#world/concurrency/timer.ts';

/**
 * How long to wait before a registry that cannot be reached, or that refuses what is asked, is asked again, in
 * milliseconds.
 */
const pauseMs = 500;
export const refusedMs = 5_000;

/** Does a piece of work; if it takes longer than this many milliseconds, `late` is called, once, while it continues. */
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
 * Like `retry`, but also retries when the registry refuses, whatever its code: the refusal is reported once, and others
 * fix it meanwhile.
 * @throws the signal's reason when it is aborted
 */
export async function onceLetIn<T>(
  clock: Timer,
  signal: AbortSignal,
  work: () => Promise<T>,
  onRefused: (refusal: Failure) => void,
): Promise<T> {
  for (let isReported = false; ; isReported = true) {
    try {
      return await retry(clock, signal, work);
    } catch (error) {
      if (!(error instanceof Failure) || signal.aborted) throw error;
      if (!isReported) onRefused(error);
      await clock.sleep(refusedMs, signal);
    }
  }
}
