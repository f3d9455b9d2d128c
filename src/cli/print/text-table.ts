import { cutToWidth, displayWidth } from './width.ts';

/** A cell: a printable text of one line, and its style. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** A column: its title, and the minimum width it may be cut to; without one it is never cut. */
export interface Column {
  readonly title: string;
  readonly min?: number;
  /** Whether it is cut before other columns. */
  readonly cutFirst?: boolean;
}

const gap = '  ';

/**
 * Lays out rows below the columns' titles. If `width` is given, columns are cut until rows fit: those with `cutFirst`,
 * then the widest.
 */
export function textTable(columns: readonly Column[], rows: readonly (readonly Cell[])[], width?: number): string {
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...rows.map((row) => displayWidth(row[index]?.text ?? ''))),
  );
  if (width !== undefined) shrink(columns, widths, width);
  const titles = columns.map(({ title }) => ({ text: title }));
  return [titles, ...rows].map((row) => `${line(row, widths)}\n`).join('');
}

function shrink(columns: readonly Column[], widths: number[], width: number): void {
  const total = () => widths.reduce((sum, one) => sum + one, 0) + gap.length * (widths.length - 1);
  while (total() > width) {
    let widest = -1;
    for (const [index, { min, cutFirst }] of columns.entries()) {
      const own = widths[index] ?? 0;
      if (min === undefined || own <= min) continue;
      if (cutFirst) {
        widest = index;
        break;
      }
      if (own > (widths[widest] ?? 0)) widest = index;
    }
    if (widest < 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

function line(row: readonly Cell[], widths: readonly number[]): string {
  let out = '';
  let owed = '';
  for (const [index, { text, paint }] of row.entries()) {
    const max = widths[index] ?? 0;
    const shown = cutToWidth(text, max);
    if (shown !== '') {
      out += owed + (paint?.(shown) ?? shown);
      owed = '';
    }
    owed += ' '.repeat(max - displayWidth(shown)) + gap;
  }
  return out;
}
