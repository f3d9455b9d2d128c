import { useActing } from '#page/acts/acting.tsx';
import { type KeyMap, useKeys } from '#page/app/keys.ts';

interface ListKeys {
  /** What is listed, in its order. */
  readonly ids: readonly string[];
  readonly chosen: string | undefined;
  readonly open: (id: string) => void;
  readonly close: () => void;
  /** The screen's own keys. */
  readonly keys?: KeyMap;
}

/** The keys of a list with one beside it: the next, the one before, back; and the screen's own. */
export function useListKeys({ ids, chosen, open, close, keys = {} }: ListKeys): void {
  const { help } = useActing();
  const move = (by: number): void => {
    const at = chosen === undefined ? -1 : ids.indexOf(chosen);
    const wanted = ids[Math.min(ids.length - 1, Math.max(0, at + by))];
    if (wanted !== undefined && wanted !== chosen) open(wanted);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Escape: chosen === undefined ? undefined : close,
    '?': help,
    ...keys,
  });
}
