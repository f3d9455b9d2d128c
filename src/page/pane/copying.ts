import type { Terminal } from '@xterm/xterm';
import { type RefObject, useEffect } from 'react';

/** Whether a key copies the selection, by the usual key of browsers. */
export function isCopy({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'c' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/**
 * Copies what was selected with the mouse in a terminal, even in a read-only one, which has no focus. This clears the
 * selection, so that the next Ctrl C goes to the program.
 */
export function useTerminalCopy(terminal: RefObject<Terminal | undefined>): void {
  useEffect(() => {
    const listening = new AbortController();
    document.addEventListener(
      'copy',
      (event) => {
        const shown = terminal.current;
        if (shown?.hasSelection() !== true || document.getSelection()?.isCollapsed === false) return;
        event.clipboardData?.setData('text/plain', shown.getSelection());
        event.preventDefault();
        shown.clearSelection();
      },
      { signal: listening.signal },
    );
    return () => listening.abort();
  }, [terminal]);
}
