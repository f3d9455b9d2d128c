import { cancelSignal } from './cancellation.ts';

const tails = new Map<string, Promise<unknown>>();

/**
 * Runs the work once all earlier work with the same key has ended. The key is a repository's common directory for
 * changes of references or of the list of worktrees, and a worktree's path for its creation and removal. Work that is
 * cancelled before its turn rejects immediately with the signal's reason.
 */
export async function withMutex<T>(key: string, work: () => Promise<T>): Promise<T> {
  const signal = cancelSignal();
  signal?.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(signal?.reason);
  signal?.addEventListener('abort', leave, { once: true });
  const begin = (): Promise<T> => {
    signal?.throwIfAborted();
    signal?.removeEventListener('abort', leave);
    return work();
  };
  const mine = (tails.get(key) ?? Promise.resolve()).then(begin, begin);
  tails.set(key, mine);
  const last = (): void => {
    if (tails.get(key) === mine) tails.delete(key);
  };
  mine.then(last, last);
  return Promise.race([mine, left.promise]);
}
