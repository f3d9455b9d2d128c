import type { IBuffer, IBufferCell, IBufferLine } from '@xterm/headless';
import { withoutPlainBlanks } from '#world/terminal/plain-blanks.ts';
import { type CellStyle, plain, sgrBetween, toStyle } from './sgr.ts';

/**
 * The visible rows of a screen with SGR sequences, as tmux captures them: a style continues into the next row;
 * invisible blanks at a row's end are left out, and so are blank rows at the bottom.
 */
export function visibleRows(buffer: IBuffer, count: number): string[] {
  const cell = buffer.getNullCell();
  const rows: string[] = [];
  let look = plain;
  for (let at = 0; at < count; at += 1) {
    const line = buffer.getLine(buffer.baseY + at);
    const row = line === undefined ? { text: '', look } : readRow(line, cell, look);
    rows.push(row.text);
    look = row.look;
  }
  return withoutPlainBlanks(rows);
}

/** One row, which begins with the style that the row above ended with. */
function readRow(line: IBufferLine, cell: IBufferCell, before: CellStyle): { text: string; look: CellStyle } {
  const end = lastUsed(line, cell);
  let look = before;
  let text = '';
  for (let column = 0; column <= end; column += 1) {
    line.getCell(column, cell);
    // The second half of a wide character is a cell of no width.
    if (cell.getWidth() === 0) continue;
    const next = toStyle(cell, look);
    if (next !== look) text += sgrBetween(look, next);
    look = next;
    text += cell.getChars() || ' ';
  }
  return { text, look };
}

/** The last cell of a row that is not a plain blank; -1 if there is none. */
function lastUsed(line: IBufferLine, cell: IBufferCell): number {
  for (let column = line.length - 1; column >= 0; column -= 1) {
    line.getCell(column, cell);
    const isBlank = cell.getChars() === '' || cell.getChars() === ' ';
    if (!isBlank || !cell.isAttributeDefault() || cell.getWidth() === 0) return column;
  }
  return -1;
}
