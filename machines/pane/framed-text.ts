/** A row without the frame that it is in. */
export interface FramedText {
  readonly text: string;
  /** The column of its first letter. */
  readonly column: number;
  /** Whether a frame, or a bar, stands to its left. */
  readonly isFramed: boolean;
}

/** Blanks as wide as this divide a row from what is next to it. */
const aside = / {7,}\S.*$/;

/** What a row says: without the sides of boxes, scroll bars, and what is far to its side. */
export function framedText(row: string): FramedText {
  const left = /^ {0,8}[│┃║▌](?: *[│┃║▌])*/u.exec(row)?.[0] ?? '';
  const inner = row.slice(left.length).replace(/(?: *[│┃║▌█▄▀])+ *$/u, '');
  const text = inner.trim().replace(aside, '');
  return { text, column: left.length + inner.search(/\S|$/), isFramed: left !== '' };
}

/** The words in the upper edge of a box, such as `╭─ Workspace ──╮`. */
export function titleIn(edge: string): string {
  return edge.replace(/[╭┌─━╌┐╮]+/gu, ' ').trim();
}

/** Whether a row is the upper edge of a box that is in no other one. */
export const opensBox = (row: string): boolean => /^ *[╭┌]/u.test(row);
/** Whether a row is the lower edge of such a box. */
export const closesBox = (row: string): boolean => /^ *[╰└]/u.test(row);
/** Whether a row is a rule over the whole width. */
export const isRule = (row: string): boolean => /^ *[─━▔]{3,} *$/u.test(row);
