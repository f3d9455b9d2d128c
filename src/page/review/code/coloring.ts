import { type ChangeData, type HunkTokens, isDelete, isInsert, isNormal, markEdits, tokenize } from 'react-diff-view';
import { refractor } from 'refractor/core';
import { grammarOf } from './grammars.ts';
import { asHunkData, numbersOf, type Pair } from './patch.ts';

/** Rows of a diff that are to be coloured. */
export interface Uncolored {
  readonly changes: readonly ChangeData[];
  /** Rows that are about the same, in which what differs is marked. */
  readonly pairs: readonly Pair[];
  /** What it is written in; undefined if that is not known. */
  readonly language: string | undefined;
}

/** The words of rows by side and line. The first one of a side is of the line whose number is its start. */
export interface Colored {
  readonly tokens: HunkTokens;
  readonly oldStart: number;
  readonly freshStart: number;
}

// Since the library was made, refractor answers with a root in place of a list.
const highlighter = { highlight: (text: string, language: string) => refractor.highlight(text, language).children };

/** Finds the words of rows: what each is in its language, and whether it is what differs. */
export async function color({ changes, pairs, language }: Uncolored): Promise<Colored> {
  const oldStart = changes.find((change) => !isInsert(change));
  const freshStart = changes.find((change) => !isDelete(change));
  // Lines are counted from 1 here: those above would all be looked at otherwise.
  const above: Above = {
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

interface Above {
  readonly old: number;
  readonly fresh: number;
}

function renumbered(change: ChangeData, { old, fresh }: Above): ChangeData {
  if (isNormal(change)) {
    return {
      ...change,
      oldLineNumber: change.oldLineNumber - old,
      newLineNumber: change.newLineNumber - fresh,
    };
  }
  return { ...change, lineNumber: change.lineNumber - (isDelete(change) ? old : fresh) };
}
