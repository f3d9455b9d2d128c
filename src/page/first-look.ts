/**
 * Resolves once the tab is visible, and at the latest after so many milliseconds. A browser that restores a dozen tabs gives the
 * visible one less of the machine for each that draws itself where nobody looks.
 */
export function firstLook(withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(look, document.visibilityState === 'visible' ? 0 : withinMs);
    function look(): void {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      resolve();
    }
    document.addEventListener('visibilitychange', look);
  });
}
