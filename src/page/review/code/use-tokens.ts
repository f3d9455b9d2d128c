import { startTransition, useEffect, useState } from 'react';
import type { ChangeData, HunkTokens, TokenNode } from 'react-diff-view';
import type { ColorAnswer, ColorQuestion } from './color-worker.ts';
import type { HighlightedRows, HighlightRequest } from './coloring.ts';
import { isAlike } from './likeness.ts';
import type { Pair } from './patch.ts';

/** A piece with a longer row, which is probably generated, is not highlighted. */
const maxRowLength = 2_000;
/** How many rows above a piece are parsed with it, so that a comment that began there is recognized. */
const rowsAbove = 40;

/** The callbacks that wait for the worker, which stays as long as the page. */
const waiting = new Map<number, (colored: HighlightedRows | undefined) => void>();
let worker: Worker | undefined;
let asked = 0;

/** Whether rows are too wide to be highlighted. */
export function isTooWide(changes: readonly Pick<ChangeData, 'content'>[]): boolean {
  return changes.some(({ content }) => content.length > maxRowLength);
}

/** The rows of a hunk that are to be highlighted. */
export interface HighlightInput {
  /** The shown rows, which are a part of `all`. */
  readonly rows: readonly ChangeData[];
  /** The rows of the whole hunk. */
  readonly all: readonly ChangeData[];
  readonly pairs: readonly Pair[];
  /** Undefined if unknown: then only differences are marked. */
  readonly language: string | undefined;
}

/** The tokens of rows, once a worker has found them, so that no frame is delayed. */
export function useTokens({ rows, all, pairs, language }: HighlightInput): HunkTokens | undefined {
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

/** Sends a request to the worker. Returns a function that cancels the wait for the answer. */
function ask(uncolored: HighlightRequest, take: (colored: HighlightedRows | undefined) => void): () => void {
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

/** The tokens of each line at the index of its number, where the library looks for them. */
function placed({ tokens, oldStart, freshStart }: HighlightedRows): HunkTokens {
  const at = (start: number, lines: TokenNode[][]): TokenNode[][] => {
    const all: TokenNode[][] = [];
    lines.forEach((line, by) => {
      all[start - 1 + by] = line;
    });
    return all;
  };
  return { old: at(oldStart, tokens.old), new: at(freshStart, tokens.new) };
}
