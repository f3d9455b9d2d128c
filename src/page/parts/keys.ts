import { useEffect, useLayoutEffect, useRef } from 'react';

/** The action of each key, by the browser's name of the key (`j`, `?`, `ArrowDown`). */
export type KeyMap = Readonly<Record<string, (() => void) | undefined>>;

/** Elements that handle keys themselves. */
const ownKeys = 'input, textarea, select, [contenteditable], dialog, [data-own-keys]';

/** Whether a key is meant for the focused element, and not for the page. */
function isForFocused({ target, defaultPrevented, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey || isComposing) return true;
  // An open dialog keeps its keys even if its focused element is gone, such as a button that was disabled.
  if (document.querySelector('dialog[open], :popover-open') !== null) return true;
  return target instanceof Element && target.closest(ownKeys) !== null;
}

/**
 * The keys of a screen, which work regardless of the focus, except in a text field, a dialog or an element marked
 * `data-own-keys`. `takeNext`, if given, is called first: it handles a key that continues the previous one.
 */
export function useKeys(keys: KeyMap, takeNext?: (key: string) => boolean): void {
  const latest = useRef({ keys, takeNext });
  // A layout effect, so that a key always acts on what is shown.
  useLayoutEffect(() => {
    latest.current = { keys, takeNext };
  });
  useEffect(() => {
    const listening = new AbortController();
    document.addEventListener(
      'keydown',
      (event) => {
        if (isForFocused(event)) return;
        const { keys: known, takeNext: take } = latest.current;
        if (take?.(event.key)) return event.preventDefault();
        // These two keys activate a focused button or link.
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
