const tails = new Map<string, Promise<unknown>>();

/**
 * Runs the work when everything that was asked for earlier with the same key has ended. The key is a repository's
 * common directory for what moves references or the list of worktrees, and a worktree's path for what makes or
 * removes it.
 */
export async function alone<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(key, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}
