import type { DiffRow } from './patch.ts';

/** One line of a diff as it is shown: a row, or two of them side by side. */
export interface Line {
  readonly rows: readonly { readonly row: DiffRow; readonly at: number }[];
}

/** The lines of a hunk: a row each; side by side, each row that was taken away beside the one that came in its place. */
export function linesOf(rows: readonly DiffRow[], isSplit: boolean): readonly Line[] {
  const placed = rows.map((row, at) => ({ row, at }));
  if (!isSplit) return placed.map((place) => ({ rows: [place] }));
  const lines: Line[] = [];
  let [deleted, added]: [typeof placed, typeof placed] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(deleted.length, added.length); at += 1) {
      lines.push({ rows: [deleted[at], added[at]].filter((place) => place !== undefined) });
    }
    [deleted, added] = [[], []];
  };
  for (const place of placed) {
    if (place.row.kind === 'deleted') {
      if (added.length > 0) flush();
      deleted.push(place);
    } else if (place.row.kind === 'added') added.push(place);
    else {
      flush();
      lines.push({ rows: [place] });
    }
  }
  flush();
  return lines;
}
