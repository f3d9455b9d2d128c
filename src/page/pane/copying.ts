import type { Terminal } from '@xterm/xterm';
import { type RefObject, useEffect } from 'react';

/** Whether a key asks for what is chosen to be copied, by the usual key of browsers. */
export function isCopy({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'c' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/**
 * Copies what was chosen with the mouse on a terminal, also on one that is only read and so has no focus. It is not
 * chosen any more after that: pressed again, Ctrl C is the program's.
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
