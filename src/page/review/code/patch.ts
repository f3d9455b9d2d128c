import { type ChangeData, type HunkData, isDelete, isInsert, isNormal, parseDiff } from 'react-diff-view';

/** Adjacent rows of a file. */
export interface Hunk {
  /** The text after the line numbers of a hunk, such as the name of a function. */
  readonly where: string;
  readonly oldStart: number;
  readonly newStart: number;
  /** In the order of the patch: deleted lines before those that replace them. */
  readonly changes: readonly ChangeData[];
}

/** The markers of inserted, deleted and unchanged lines. */
export const markers = { insert: '+', delete: '-', normal: ' ' } as const;

// A header for the parser, because the patch of a file has none.
const head = 'diff --git a/it b/it\n--- a/it\n+++ b/it\n';

/** The hunks of a unified patch without a header. */
export function hunksOf(patch: string): readonly Hunk[] {
  return hunksIn(patch, {});
}

/** The same, with each deleted row followed by the row that replaces it, as in a side-by-side view. */
export function pairedHunksOf(patch: string): readonly Hunk[] {
  return hunksIn(patch, { nearbySequences: 'zip' });
}

function hunksIn(patch: string, options: Parameters<typeof parseDiff>[1]): readonly Hunk[] {
  const [file] = parseDiff(`${head}${patch}`, options);
  return (file?.hunks ?? []).map(({ content, oldStart, newStart, changes }) => ({
    where: content.replace(/^@@ .*? @@ ?/, ''),
    oldStart,
    newStart,
    changes,
  }));
}

/** Rows in the form of the diff library. Its rendering does not use the counts. */
export function asHunkData(changes: readonly ChangeData[]): HunkData {
  const [first] = changes;
  const { old = 0, fresh = 0 } = first === undefined ? {} : numbersOf(first);
  const [oldLines, newLines] = [
    changes.filter((change) => !isInsert(change)).length,
    changes.filter((change) => !isDelete(change)).length,
  ];
  return { content: '', oldStart: old, newStart: fresh, oldLines, newLines, changes: changes.map(withoutReturn) };
}

/** A row without the carriage return of its line end, which is not shown. One within the line stays. */
function withoutReturn(change: ChangeData): ChangeData {
  return change.content.endsWith('\r') ? { ...change, content: change.content.slice(0, -1) } : change;
}

/** The line numbers of a row; none on a side that does not have the row. */
export function numbersOf(change: ChangeData): { readonly old?: number; readonly fresh?: number } {
  if (isNormal(change)) return { old: change.oldLineNumber, fresh: change.newLineNumber };
  return isDelete(change) ? { old: change.lineNumber } : { fresh: change.lineNumber };
}

/** A deleted row, and the row that replaces it. */
export type Pair = readonly [deleted: ChangeData, inserted: ChangeData];

/** Each deleted row with the row that replaces it, if there is one. Works for both orders of rows. */
export function pairsOf(changes: readonly ChangeData[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [deleted, next]: [ChangeData[], number] = [[], 0];
  let last: ChangeData | undefined;
  for (const change of changes) {
    if (isInsert(change)) {
      const before = deleted[next++];
      if (before !== undefined) pairs.push([before, change]);
    } else if (isNormal(change)) [deleted, next] = [[], 0];
    else {
      if (last !== undefined && isInsert(last) && next >= deleted.length) [deleted, next] = [[], 0];
      deleted.push(change);
    }
    last = change;
  }
  return pairs;
}
