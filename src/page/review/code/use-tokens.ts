import { startTransition, useEffect, useState } from 'react';
import type { ChangeData, HunkTokens, TokenNode } from 'react-diff-view';
import type { ColorAnswer, ColorQuestion } from './color-worker.ts';
import type { Colored, Uncolored } from './coloring.ts';
import { isAlike } from './likeness.ts';
import type { Pair } from './patch.ts';

/** A longer row, probably generated, is not highlighted, and neither are the rows of its piece. */
const widestRow = 2_000;
/** So many rows above a piece are read with it, so that it is known what a comment that began there continues with. */
const rowsAbove = 40;

/** The worker that colours, and who waits for which of its answers. It stays as long as the page. */
const waiting = new Map<number, (colored: Colored | undefined) => void>();
let worker: Worker | undefined;
let asked = 0;

/** Whether rows are too wide to be coloured. */
export function isTooWide(changes: readonly Pick<ChangeData, 'content'>[]): boolean {
  return changes.some(({ content }) => content.length > widestRow);
}

/** Rows of a hunk that are to be coloured. */
export interface Plain {
  /** Those that are shown: a part of the next ones. */
  readonly rows: readonly ChangeData[];
  /** Those of the whole hunk. */
  readonly all: readonly ChangeData[];
  readonly pairs: readonly Pair[];
  /** Undefined if it is not known: then only what differs is marked. */
  readonly language: string | undefined;
}

/** The coloured words of rows, as soon as they are known: they are found in a worker, so that no frame is late. */
export function useTokens({ rows, all, pairs, language }: Plain): HunkTokens | undefined {
  const [tokens, setTokens] = useState<HunkTokens>();
  useEffect(() => {
    const [first] = rows;
    if (first === undefined || isTooWide(rows)) return;
    const at = all.indexOf(first);
    const above = all.slice(Math.max(0, at - rowsAbove), at);
    const shown = new Set(rows);
    const alike = pairs.filter(
      (pair) => pair.some((row) => shown.has(row)) && !isTooWide(pair) && isAlike(pair[0].content, pair[1].content),
    );
    const changes = isTooWide(above) ? rows : [...above, ...rows];
    return ask({ changes, pairs: alike, language }, (colored) => {
      startTransition(() => setTokens(colored && placed(colored)));
    });
  }, [rows, all, pairs, language]);
  return tokens;
}

/** Returns what no longer waits for the answer. */
function ask(uncolored: Uncolored, take: (colored: Colored | undefined) => void): () => void {
  worker ??= started();
  const id = ++asked;
  waiting.set(id, take);
  worker.postMessage({ id, uncolored } satisfies ColorQuestion);
  return () => void waiting.delete(id);
}

function started(): Worker {
  const made = new Worker(new URL('./color-worker.ts', import.meta.url), { type: 'module' });
  made.addEventListener('message', ({ data: { id, colored } }: MessageEvent<ColorAnswer>) => {
    waiting.get(id)?.(colored);
    waiting.delete(id);
  });
  return made;
}

/** The words of each line at its own number, as the library looks for them. */
function placed({ tokens, oldStart, freshStart }: Colored): HunkTokens {
  const at = (start: number, lines: TokenNode[][]): TokenNode[][] => {
    const all: TokenNode[][] = [];
    lines.forEach((line, by) => {
      all[start - 1 + by] = line;
    });
    return all;
  };
  return { old: at(oldStart, tokens.old), new: at(freshStart, tokens.new) };
}
