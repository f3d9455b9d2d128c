/** A step in a list: a number of rows, or to the first or last row. */
export type Step = number | 'first' | 'last';

/** The step of a key in every list; undefined if it has none. `page` is how many rows are visible. */
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

/**
 * The target of a step from an index, which is -1 for none, in a list of `count` rows; undefined if the list is empty.
 */
export function placeAfter(step: Step, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (step === 'first') return 0;
  if (step === 'last') return count - 1;
  return Math.min(count - 1, Math.max(0, at + step));
}

/** Moves the focus into the panel next to the list. */
export function enterPanel(): boolean {
  const panel = document.querySelector<HTMLElement>('aside.panel, aside.instance-panel');
  panel?.focus();
  return panel !== null;
}
