import { printableLines, printableScreen } from '#contract/printable.ts';
import type { PaneScreen } from '#page/client/agent/v1/agent_pb.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are exactly what is looked for
const attribute = /\u001b\[[0-9;:]*m/g;

/** The visible rows of a screen, without attributes; those that were not kept are blank. */
export function rowsOf({ text, rowsAbove }: PaneScreen): readonly string[] {
  const rows = text.replace(attribute, '').split('\n');
  return [...Array<string>(rowsAbove).fill(''), ...rows.map((row) => row.trimEnd())];
}

/**
 * What makes a terminal show a screen, whatever it showed before. A style runs on from row to row, as it was captured. A row in
 * which characters stand as their escapes is longer than it was, and never goes on in the next one.
 */
export function drawingOf({ text, rowsAbove, cursorRow, cursorColumn }: PaneScreen): string {
  const rows = printableScreen(text).replaceAll('\n', '\r\n');
  return `\u001b[?7l\u001b[0m\u001b[2J\u001b[${rowsAbove + 1};1H${rows}\u001b[0m\u001b[${cursorRow + 1};${cursorColumn + 1}H`;
}

/** The rows of a screen on which the evidence stands, the lowest of those that are alike, from zero. */
export function evidenceRows(screen: PaneScreen, evidence: readonly string[]): readonly number[] {
  const rows = rowsOf(screen).map((row) => row.trim());
  const found = new Set<number>();
  for (const wanted of evidence.toReversed()) {
    const text = wanted.replace(attribute, '').trim();
    if (text === '') continue;
    const isFree = (row: string, at: number): boolean => !found.has(at) && (row === text || row.includes(text));
    const at = rows.findLastIndex(isFree);
    if (at >= 0) found.add(at);
  }
  return [...found].sort((one, other) => one - other);
}

/** So many columns and rows of a screen, from its top left. */
interface Extent {
  readonly columns: number;
  readonly rows: number;
}

/** Of a pane that is nearly empty so much is shown. */
export const extentLeast: Extent = { columns: 80, rows: 24 };

/** How many columns and rows of a screen are written on, the cursor's too: more than it has where escapes make a row longer. */
export function extentOf(screen: PaneScreen): Extent {
  const rows = rowsOf(screen);
  const widest = rows.reduce((most, row) => Math.max(most, widthOf(row, screen.width)), 0);
  const lowest = rows.findLastIndex((row) => row !== '');
  return { columns: Math.max(widest, screen.cursorColumn + 1), rows: Math.max(lowest, screen.cursorRow) + 1 };
}

function widthOf(row: string, most: number): number {
  const shown = printableLines(row);
  return shown === row ? Math.min(most, cellsOf(row)) : cellsOf(shown);
}

/** How many cells a row takes up, or a few more: what is wide is taken from where wide letters begin. */
function cellsOf(row: string): number {
  let cells = 0;
  for (const letter of row) cells += (letter.codePointAt(0) ?? 0) >= 0x1100 && !/[\u2000-\u2bff]/.test(letter) ? 2 : 1;
  return cells;
}
