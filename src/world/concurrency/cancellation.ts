import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<AbortSignal | undefined>();

/**
 * Runs work that may be cancelled. Once the signal aborts, every process that the work has started, at any depth, is
 * ended with its whole group, and no other process is started.
 */
export function cancelledBy<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return current.run(signal, work);
}

/** The signal that cancels the current work; undefined if there is none. */
export function cancelSignal(): AbortSignal | undefined {
  return current.getStore();
}
