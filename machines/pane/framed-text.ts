/** A row without its frame. */
export interface FramedText {
  readonly text: string;
  /** The column of its first letter. */
  readonly column: number;
  /** Whether there is a frame or a bar to its left. */
  readonly isFramed: boolean;
}

/** Text to the right of a wide gap, which does not belong to the row. */
const aside = / {7,}\S.*$/;

/** The text of a row, without the sides of boxes, scroll bars, and text to the right of a wide gap. */
export function framedText(row: string): FramedText {
  const left = /^ {0,8}[│┃║▌](?: *[│┃║▌])*/u.exec(row)?.[0] ?? '';
  const inner = row.slice(left.length).replace(/(?: *[│┃║▌█▄▀])+ *$/u, '');
  const text = inner.trim().replace(aside, '');
  return { text, column: left.length + inner.search(/\S|$/), isFramed: left !== '' };
}

/** The title in the upper edge of a box, such as `╭─ Workspace ──╮`. */
export function titleIn(edge: string): string {
  return edge.replace(/[╭┌─━╌┐╮]+/gu, ' ').trim();
}

/** Whether a row is the upper edge of an outermost box. */
export const opensBox = (row: string): boolean => /^ *[╭┌]/u.test(row);
/** Whether a row is the lower edge of an outermost box. */
export const closesBox = (row: string): boolean => /^ *[╰└]/u.test(row);
/** Whether a row is a horizontal rule over the whole width. */
export const isRule = (row: string): boolean => /^ *[─━▔]{3,} *$/u.test(row);
