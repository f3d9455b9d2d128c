import { useActStarter } from '#page/acts/act-starter.tsx';
import { type KeyMap, useKeys } from '#page/parts/keys.ts';
import { type Step, stepOf } from './list-keys.ts';

interface ListKeys {
  readonly move: (step: Step) => void;
  /** How many rows are visible. */
  readonly inView: () => number;
  /** Closes the panel next to the list; undefined if none is open. */
  readonly close: (() => void) | undefined;
  /** The screen's own keys; undefined for a list whose keys work only while it has the focus. */
  readonly keys: KeyMap | undefined;
}

/** The keys of a screen's list, which work regardless of the focus: next, previous, back, and the screen's own keys. */
export function useListKeys({ move, inView, close, keys }: ListKeys): void {
  const { help } = useActStarter();
  const own = keys && { j: () => move(1), k: () => move(-1), Escape: close, '?': help, ...keys };
  useKeys(own ?? {}, (key) => {
    // The focused element may need these keys itself. If nothing has the focus, they are the list's.
    const step = own === undefined || document.activeElement !== document.body ? undefined : stepOf(key, inView());
    if (step !== undefined) move(step);
    return step !== undefined;
  });
}
