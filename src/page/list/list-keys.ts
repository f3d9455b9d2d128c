/** A step in a list: so many rows, or to its first or last. */
export type Step = number | 'first' | 'last';

/** The step that a key asks for in every list; undefined if it asks for none. `page` is how many rows are in view. */
export function stepOf(key: string, page: number): Step | undefined {
  const steps: Readonly<Record<string, Step>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: 'first',
    End: 'last',
  };
  return Object.hasOwn(steps, key) ? steps[key] : undefined;
}

/** Where a step leads to from a place (-1 if there is none) in a list of so many; undefined in an empty one. */
export function placeAfter(step: Step, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (step === 'first') return 0;
  if (step === 'last') return count - 1;
  return Math.min(count - 1, Math.max(0, at + step));
}

/** Goes into what is next to the list. */
export function enterPanel(): boolean {
  const panel = document.querySelector<HTMLElement>('aside.panel, aside.instance-panel');
  panel?.focus();
  return panel !== null;
}
