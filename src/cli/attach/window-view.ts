import { cutToWidth, padToWidth } from '#cli/print/width.ts';
import { attributes } from '#contract/pane/attributes.ts';
import { cellsOf, offsetOf } from '#contract/pane/cells.ts';
import type { PaneScreen } from '#contract/pane/pane.ts';
import { printableScreen } from '#contract/printable.ts';

/** The size of a terminal. */
export interface TerminalSize {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** Draw without flicker, if the terminal can: nothing is shown until the end. */
const [begin, end] = ['\u001b[?2026h\u001b[?25l', '\u001b[?2026l'];
const [home, clearLine, plain, reversed, showCursor] = [
  '\u001b[H',
  '\u001b[K',
  '\u001b[0m',
  '\u001b[7m',
  '\u001b[?25h',
];

/**
 * Draws a pane on a terminal of another size, above a status line. A smaller terminal shows the part around the cursor,
 * which moves only as far as it has to.
 */
export class WindowView {
  #top = 0;
  #left = 0;

  /** The sequence that draws a screen. */
  draw({ columns = 80, rows = 24 }: TerminalSize, screen: PaneScreen, status: string): string {
    const [width, height] = [columns, Math.max(1, rows - 1)];
    const { cursorRow = 0, cursorColumn = 0 } = screen;
    this.#top = within(cursorRow, this.#top, height, screen.height ?? height);
    this.#left = within(cursorColumn, this.#left, width, screen.width ?? width);
    const lines = printableScreen(screen.text ?? '').split('\n');
    const shown = Array.from({ length: height }, (_, row) =>
      sliceOfCells(lines[this.#top + row] ?? '', this.#left, width),
    );
    const line = padToWidth(cutToWidth(status, width), width);
    const cursor = `\u001b[${cursorRow - this.#top + 1};${cursorColumn - this.#left + 1}H${screen.inMode ? '' : showCursor}`;
    const body = shown.map((row) => `${clearLine}${row}${plain}\r\n`).join('');
    return `${begin}${home}${body}${reversed}${line}${plain}${cursor}${end}`;
  }
}

/** Where a part of `size` begins in a whole so that a place is within it, as near as possible to where it began. */
function within(place: number, began: number, size: number, whole: number): number {
  const least = Math.max(0, place - size + 1);
  return Math.max(least, Math.min(began, place, Math.max(0, whole - size)));
}

/** The cells of a row from a column on, with their attributes. */
export function sliceOfCells(row: string, from: number, count: number): string {
  let cell = 0;
  let slice = '';
  for (const piece of row.split(new RegExp(`(${attributes.source})`))) {
    if (piece.startsWith('\u001b')) {
      slice += piece;
      continue;
    }
    const cells = cellsOf(piece);
    const start = offsetOf(piece, Math.max(0, from - cell));
    const wanted = from + count - cell;
    slice += wanted <= 0 ? '' : fitting(piece.slice(start, offsetOf(piece, wanted)), count);
    cell += cells;
  }
  return slice;
}

/** A text without its last character if that is half beyond the edge. */
function fitting(text: string, cells: number): string {
  return cellsOf(text) <= cells ? text : [...text].slice(0, -1).join('');
}
