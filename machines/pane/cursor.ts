import type { Capture } from '#contract/pane/capture.ts';
import { cellsOf, offsetOf } from '#contract/pane/cells.ts';
import { blankRow, cropRow, type Row } from './screen.ts';

/** A screen cut at its cursor: the logical row up to the cursor, and everything after it. */
export interface CursorCut {
  readonly typed: Row;
  readonly beyond: readonly Row[];
}

/**
 * Cuts rows at the cursor; `above` is how many rows of the screen were left out above. Rows above that fill the whole
 * width belong to the cursor's logical row. Blanks up to the cursor are kept.
 */
export function splitAtCursor(rows: readonly Row[], capture: Capture, above = 0): CursorCut {
  const { column } = capture.cursor;
  const row = capture.cursor.row - above;
  const current = rows[row] ?? blankRow;
  const at = offsetOf(current.text, column);
  let first = row;
  while (first > 0 && cellsOf(rows[first - 1]?.text ?? '') >= capture.width) first -= 1;
  const parts = [...rows.slice(first, Math.min(row, rows.length)), padded(cropHead(current, at), column)];
  return { typed: parts.reduce(joined), beyond: [cropRow(current, at), ...rows.slice(row + 1)] };
}

function cropHead(row: Row, to: number): Row {
  return { text: row.text.slice(0, to), runs: cropRow(row, 0, to).runs };
}

function padded(row: Row, column: number): Row {
  return { text: row.text + ' '.repeat(Math.max(0, column - cellsOf(row.text))), runs: row.runs };
}

function joined(left: Row, right: Row): Row {
  const shift = left.text.length;
  const runs = right.runs.map((run) => ({ ...run, from: run.from + shift, to: run.to + shift }));
  return { text: left.text + right.text, runs: [...left.runs, ...runs] };
}
