import { withoutAttributes } from '#contract/pane/attributes.ts';
import { cellsOf } from '#contract/pane/cells.ts';
import { printableLines, printableScreen } from '#contract/printable.ts';
import type { PaneScreen } from '#page/client/agent/v1/agent_pb.js';

/** The visible rows of a screen, without attributes; rows that were not kept are blank. */
export function rowsOf({ text, rowsAbove }: PaneScreen): readonly string[] {
  const rows = withoutAttributes(text).split('\n');
  return [...Array<string>(rowsAbove).fill(''), ...rows.map((row) => row.trimEnd())];
}

/**
 * The output that makes a terminal show a screen, whatever it showed before. Each row is positioned separately, so that
 * no row displaces another. Attributes continue from row to row, as captured. A row with an escaped character is longer
 * than the original.
 */
export function drawingOf({ text, rowsAbove, height, cursorRow, cursorColumn }: PaneScreen): string {
  const rows = printableScreen(text.replace(cellless, ''))
    .split('\n')
    .slice(0, Math.max(0, height - rowsAbove));
  const drawn = rows.map((row, at) => `${moveTo(rowsAbove + at, 0)}${row}`).join('');
  return `\u001b[?7l\u001b[0m\u001b[2J${drawn}\u001b[0m${moveTo(cursorRow, cursorColumn)}`;
}

function moveTo(row: number, column: number): string {
  return `\u001b[${row + 1};${column + 1}H`;
}

/**
 * Characters that request text style or allow a line break. A terminal has no cell for them and draws the same without
 * them. Escaped, they would shift everything that follows.
 */
const cellless = /[\ufe0e\u200b]/g;

/**
 * The rows of a screen, from 0, that contain the evidence; the lowest if several do. A row that equals the evidence is
 * preferred to one that contains it, and that to rows across which it was wrapped.
 */
export function evidenceRows(screen: PaneScreen, evidence: readonly string[]): readonly number[] {
  const rows = rowsOf(screen).map(asRead);
  const found = new Set<number>();
  for (const wanted of evidence.toReversed()) {
    const text = asRead(withoutAttributes(wanted));
    if (text === '') continue;
    const same = rows.findLastIndex((row, at) => row === text && !found.has(at));
    const at = same >= 0 ? same : rows.findLastIndex((row, place) => row.includes(text) && !found.has(place));
    for (const one of at >= 0 ? [at] : wrappedRows(rows, text)) found.add(one);
  }
  return [...found].sort((one, other) => one - other);
}

/**
 * The rows across which a text was wrapped, the lowest if there are several; empty if there are none. Blanks at the end
 * of a row are lost.
 */
function wrappedRows(rows: readonly string[], text: string): readonly number[] {
  const [shown, wanted] = [rows.map(withoutBlanks), withoutBlanks(text)];
  for (let first = rows.length - 1; first >= 0; first -= 1) {
    let rest = wanted;
    for (let at = first; at < rows.length; at += 1) {
      const row = shown[at] ?? '';
      if (row === '' || (!rest.startsWith(row) && !row.startsWith(rest))) break;
      rest = rest.slice(row.length);
      if (rest === '') return Array.from({ length: at - first + 1 }, (_, count) => first + count);
    }
  }
  return [];
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

/** A row as the rules read it, and as evidence quotes it. */
function asRead(row: string): string {
  return row.replaceAll('\u00a0', ' ').replaceAll('\u200b', '').trim();
}

/** A number of columns and rows of a screen, from its top left. */
export interface Extent {
  readonly columns: number;
  readonly rows: number;
}

/** At least this much is shown of a nearly empty pane. */
export const minExtent: Extent = { columns: 80, rows: 24 };

/**
 * How many columns and rows of a screen are used, including coloured blanks and the cursor. More columns than the
 * screen has if escapes make a row longer.
 */
export function extentOf({ text, rowsAbove, width, cursorColumn, cursorRow }: PaneScreen): Extent {
  const rows = withoutAttributes(text.replace(cellless, '')).split('\n');
  const widest = rows.reduce((max, row) => Math.max(max, widthOf(row, width)), 0);
  const lowest = rowsAbove + rows.findLastIndex((row) => row !== '');
  return { columns: Math.max(widest, cursorColumn + 1), rows: Math.max(lowest, cursorRow) + 1 };
}

function widthOf(row: string, max: number): number {
  const shown = printableLines(row);
  return shown === row ? Math.min(max, cellsOf(row)) : cellsOf(shown);
}
