import { type ChangeData, type HunkTokens, isDelete, isInsert, isNormal, markEdits, tokenize } from 'react-diff-view';
import { refractor } from 'refractor/core';
import { grammarOf } from './grammars.ts';
import { asHunkData, numbersOf, type Pair } from './patch.ts';

/** The rows of a diff that are to be highlighted. */
export interface HighlightRequest {
  readonly changes: readonly ChangeData[];
  /** Pairs of similar rows, in which the differences are marked. */
  readonly pairs: readonly Pair[];
  /** The programming language; undefined if unknown. */
  readonly language: string | undefined;
}

/** The tokens of rows, by side and line. The first entry of a side is for the line with the side's start number. */
export interface HighlightedRows {
  readonly tokens: HunkTokens;
  readonly oldStart: number;
  readonly freshStart: number;
}

// refractor now returns a root, where the diff library expects a list.
const highlighter = { highlight: (text: string, language: string) => refractor.highlight(text, language).children };

/** Finds the tokens of rows: their kinds in the language, and whether they differ from the paired row. */
export async function color({ changes, pairs, language }: HighlightRequest): Promise<HighlightedRows> {
  const oldStart = changes.find((change) => !isInsert(change));
  const freshStart = changes.find((change) => !isDelete(change));
  // Count lines from 1 here, because the library would otherwise process all lines above.
  const above: LineCounts = {
    old: ((oldStart && numbersOf(oldStart).old) ?? 1) - 1,
    fresh: ((freshStart && numbersOf(freshStart).fresh) ?? 1) - 1,
  };
  const grammar = language === undefined ? undefined : await grammarOf(language);
  if (grammar !== undefined) refractor.register(grammar);
  const marking = pairs.map((pair) => asHunkData(pair.map((change) => renumbered(change, above))));
  const enhancers = [markEdits(marking, { type: 'line' })];
  const hunk = asHunkData(changes.map((change) => renumbered(change, above)));
  const tokens =
    grammar === undefined || language === undefined
      ? tokenize([hunk], { enhancers })
      : tokenize([hunk], { highlight: true, refractor: highlighter, language, enhancers });
  return { tokens, oldStart: above.old + 1, freshStart: above.fresh + 1 };
}

interface LineCounts {
  readonly old: number;
  readonly fresh: number;
}

function renumbered(change: ChangeData, { old, fresh }: LineCounts): ChangeData {
  if (isNormal(change)) {
    return {
      ...change,
      oldLineNumber: change.oldLineNumber - old,
      newLineNumber: change.newLineNumber - fresh,
    };
  }
  return { ...change, lineNumber: change.lineNumber - (isDelete(change) ? old : fresh) };
}
