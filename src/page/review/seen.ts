import { useCallback, useMemo, useSyncExternalStore } from 'react';

const key = 'muster.seen';
/** Maximum number of stored rounds, and the maximum size in characters. */
const keptRounds = 40;
const keptLength = 500_000;

type SavedPaths = readonly (readonly [roundId: string, paths: readonly string[]])[];

const listeners = new Set<() => void>();

/** The files of a round that the person marked as viewed, and how to mark them. Stored in this browser. */
export function useSeen(roundId: string) {
  const text = useSyncExternalStore(listen, read);
  const seen: ReadonlySet<string> = useMemo(() => {
    return new Set(keptIn(text).find(([id]) => id === roundId)?.[1]);
  }, [text, roundId]);
  const mark = useCallback(
    (path: string, isSeen: boolean) => {
      const kept = keptIn(read());
      const paths = new Set(kept.find(([id]) => id === roundId)?.[1]);
      if (isSeen) paths.add(path);
      else paths.delete(path);
      const others = kept.filter(([id]) => id !== roundId);
      write([...others, [roundId, [...paths]]]);
    },
    [roundId],
  );
  return { seen, mark };
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function read(): string {
  return window.localStorage.getItem(key) ?? '[]';
}

function keptIn(text: string): SavedPaths {
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? (kept as SavedPaths) : [];
  } catch {
    return [];
  }
}

/** Drops the rounds that were marked longest ago. */
function write(all: SavedPaths): void {
  let kept = all.slice(-keptRounds);
  while (kept.length > 1 && JSON.stringify(kept).length > keptLength) kept = kept.slice(1);
  window.localStorage.setItem(key, JSON.stringify(kept));
  for (const listener of listeners) listener();
}
