/** Does something at most once in a time, in milliseconds, however often it is asked for: a moment after the first time. */
export function gathering(act: () => void, everyMs: number): () => void {
  let timer: number | undefined;
  return () => {
    if (timer !== undefined) return;
    timer = window.setTimeout(() => {
      timer = undefined;
      act();
    }, everyMs);
  };
}
