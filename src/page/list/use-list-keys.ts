import { useActing } from '#page/acts/acting.tsx';
import { type KeyMap, useKeys } from '#page/parts/keys.ts';
import { type Step, stepOf } from './list-keys.ts';

interface ListKeys {
  readonly move: (step: Step) => void;
  /** How many rows are in view. */
  readonly inView: () => number;
  /** Goes back to the list alone; undefined if nothing is open beside it. */
  readonly close: (() => void) | undefined;
  /** The screen's own keys; undefined for a list that has keys only while it has the focus. */
  readonly keys: KeyMap | undefined;
}

/** The keys that a screen's list has wherever the focus is: the next, the one before, back; and the screen's own. */
export function useListKeys({ move, inView, close, keys }: ListKeys): void {
  const { help } = useActing();
  const own = keys && { j: () => move(1), k: () => move(-1), Escape: close, '?': help, ...keys };
  useKeys(own ?? {}, (key) => {
    // What has the focus may want these for itself; if nothing has it, they are the list's.
    const step = own === undefined || document.activeElement !== document.body ? undefined : stepOf(key, inView());
    if (step !== undefined) move(step);
    return step !== undefined;
  });
}
