/**
 * Resolves once the tab is visible, and at the latest after so many milliseconds. A browser that restores a dozen tabs gives the
 * visible one less of the machine for each that draws itself where nobody looks.
 */
export function firstLook(withinMs: number): Promise<void> {
  const isSeen = (): boolean => document.visibilityState === 'visible';
  if (isSeen()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    const look = (): void => {
      if (isSeen()) done();
    };
    const timer = setTimeout(done, withinMs);
    document.addEventListener('visibilitychange', look);
  });
}
