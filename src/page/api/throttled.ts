/** Returns a function that runs `act` shortly after the first call, and then at most once in `everyMs` milliseconds. */
export function throttled(act: () => void, everyMs: number): () => void {
  let timer: number | undefined;
  return () => {
    if (timer !== undefined) return;
    timer = window.setTimeout(() => {
      timer = undefined;
      act();
    }, everyMs);
  };
}
