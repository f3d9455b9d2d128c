import { useCallback, useState } from 'react';

/** What was written and not sent, by what it is for: it outlives its field, and ends with the tab. */
const kept = new Map<string, unknown>();

/** What a person writes, kept until it is sent: also if they look at something else meanwhile, or are signed out. */
export function useDraft<Draft>(key: string, first: Draft) {
  const [draft, show] = useState<Draft>(() => (kept.has(key) ? (kept.get(key) as Draft) : first));
  const write = useCallback(
    (changed: Draft): void => {
      kept.set(key, changed);
      show(changed);
    },
    [key],
  );
  /** Forgets it, as it was sent or is not wanted any more. */
  const clear = (): void => {
    kept.delete(key);
    show(first);
  };
  return { draft, write, clear, isKept: kept.has(key) };
}
