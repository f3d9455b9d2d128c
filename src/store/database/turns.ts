/**
 * Runs one piece of work at a time, in order of arrival; a failed one does not hold up the next. Work may release its
 * turn before it ends.
 */
export type Turns = <T>(work: (release: () => void) => Promise<T>) => Promise<T>;

export function oneAtATime(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const release = (): void => resolve();
    const mine = last.then(() => work(release));
    mine.then(release, release);
    last = over;
    return mine;
  };
}
