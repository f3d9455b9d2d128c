import { useCallback, useState } from 'react';

/** Unsent drafts, by key. They outlive their fields, and end with the tab. */
const kept = new Map<string, unknown>();

/** The draft of a form, kept until it is sent, even if the person leaves the screen or is signed out meanwhile. */
export function useDraft<Draft>(key: string, first: Draft) {
  const [draft, show] = useState<Draft>(() => (kept.has(key) ? (kept.get(key) as Draft) : first));
  const write = useCallback(
    (changed: Draft): void => {
      kept.set(key, changed);
      show(changed);
    },
    [key],
  );
  /** Deletes the draft, because it was sent or discarded. */
  const clear = (): void => {
    kept.delete(key);
    show(first);
  };
  return { draft, write, clear, isKept: kept.has(key) };
}
