import { useEffect, useLayoutEffect, useRef } from 'react';

/** What each key does, by the key's name as the browser has it (`j`, `?`, `ArrowDown`). */
export type KeyMap = Readonly<Record<string, (() => void) | undefined>>;

/** Where keys are a text's, a dialog's or a zone's own. */
const ownKeys = 'input, textarea, select, [contenteditable], dialog, [data-own-keys]';

/** Whether a key is meant for what has the focus, and not for the page. */
function isSpokenFor({ target, defaultPrevented, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey || isComposing) return true;
  // A window keeps its keys also if what had the focus in it is gone, such as a button that cannot be pressed any more.
  if (document.querySelector('dialog[open], :popover-open') !== null) return true;
  return target instanceof Element && target.closest(ownKeys) !== null;
}

/**
 * Keys of a screen, wherever the focus is but in a text, a dialog, or a zone marked `data-own-keys`. `takeNext`, if it
 * is given, is asked first: it takes a key that belongs to the one before it.
 */
export function useKeys(keys: KeyMap, takeNext?: (key: string) => boolean): void {
  const latest = useRef({ keys, takeNext });
  // With what is shown, not a moment later: a key that is pressed on what one sees acts on that.
  useLayoutEffect(() => {
    latest.current = { keys, takeNext };
  });
  useEffect(() => {
    const listening = new AbortController();
    document.addEventListener(
      'keydown',
      (event) => {
        if (isSpokenFor(event)) return;
        const { keys: known, takeNext: take } = latest.current;
        if (take?.(event.key)) return event.preventDefault();
        // A focused button or link is pressed by these two.
        const isPress = event.key === 'Enter' || event.key === ' ';
        if (isPress && event.target instanceof Element && event.target.closest('button, a, summary')) return;
        const act = Object.hasOwn(known, event.key) ? known[event.key] : undefined;
        if (act === undefined) return;
        event.preventDefault();
        act();
      },
      { signal: listening.signal },
    );
    return () => listening.abort();
  }, []);
}
