import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<AbortSignal | undefined>();

/**
 * Does a piece of work that may be called off: once the signal is aborted, every process that the work has started, however
 * deep within, is ended with its whole group, and it starts no other one.
 */
export function calledOffBy<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return current.run(signal, work);
}

/** The signal that calls off the work under way here; undefined where nothing does. */
export function callOff(): AbortSignal | undefined {
  return current.getStore();
}
