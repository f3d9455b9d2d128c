const tails = new Map<string, Promise<unknown>>();

/** Runs the work when everything that was asked for earlier under the same common directory has ended. */
export async function withRepository<T>(commonDir: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(commonDir) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(commonDir, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(commonDir) === mine) tails.delete(commonDir);
  }
}
