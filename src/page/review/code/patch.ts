import { type ChangeData, type HunkData, isDelete, isInsert, isNormal, parseDiff } from 'react-diff-view';

/** Adjacent rows of a file. */
export interface Hunk {
  /** What git says of where it is, such as a function's name. */
  readonly where: string;
  readonly oldStart: number;
  readonly newStart: number;
  /** In the order of the patch: what was removed before what came in its place. */
  readonly changes: readonly ChangeData[];
}

/** Next to the lines of the new side, of the old, and of both. */
export const markers = { insert: '+', delete: '-', normal: ' ' } as const;

// The patch of a file comes without a head, and the parser asks for one.
const head = 'diff --git a/it b/it\n--- a/it\n+++ b/it\n';

/** The hunks of a unified patch without a head. */
export function hunksOf(patch: string): readonly Hunk[] {
  return hunksIn(patch, {});
}

/** The same where each row that was removed is followed by the one that came in its place, as they are side by side. */
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

/** Rows as the library takes them to draw them: the counts are not looked at by what draws them. */
export function asHunkData(changes: readonly ChangeData[]): HunkData {
  const [first] = changes;
  const { old = 0, fresh = 0 } = first === undefined ? {} : numbersOf(first);
  const [oldLines, newLines] = [
    changes.filter((change) => !isInsert(change)).length,
    changes.filter((change) => !isDelete(change)).length,
  ];
  return { content: '', oldStart: old, newStart: fresh, oldLines, newLines, changes: changes.map(withoutReturn) };
}

/** A row without the carriage return of its line end, which is not shown; one that is within a line is. */
function withoutReturn(change: ChangeData): ChangeData {
  return change.content.endsWith('\r') ? { ...change, content: change.content.slice(0, -1) } : change;
}

/** The numbers of a row; none on a side on which it is not. */
export function numbersOf(change: ChangeData): { readonly old?: number; readonly fresh?: number } {
  if (isNormal(change)) return { old: change.oldLineNumber, fresh: change.newLineNumber };
  return isDelete(change) ? { old: change.lineNumber } : { fresh: change.lineNumber };
}

/** A row that was removed, and the one that came in its place. */
export type Pair = readonly [deleted: ChangeData, inserted: ChangeData];

/** Each row that was removed with the one that came in its place, if there is one; in either order of rows. */
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
