import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<AbortSignal | undefined>();

/**
 * Does a piece of work that may be cancelled: once the signal is aborted, every process that the work has started,
 * however deep within, is ended with its whole group, and it starts no other one.
 */
export function cancelledBy<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return current.run(signal, work);
}

/** The signal that cancels the work under way here; undefined if nothing does. */
export function cancelSignal(): AbortSignal | undefined {
  return current.getStore();
}
