/** A screen that nobody captured, composed as its CLI draws such screens. */
export interface Variant {
  readonly name: string;
  /** `STATE`, or `STATE/reason`. */
  readonly expected: string;
  readonly screen: string;
  readonly title: string;
}

/** The screens of one CLI in a pane of so many columns. */
export type Variants = (width: number) => readonly Variant[];

/** Drafts that read like something else. */
export const drafts = [
  'hello there',
  'esc to cancel',
  'Bitte prüfe das',
  '請檢查這個檔案',
  'пожалуйста, исправь',
  '/help',
  '@src',
  'fix 1. and 2.',
  '[Pasted text]',
];

/** A rule over so many columns. */
export function rule(width: number, glyph = '─'): string {
  return glyph.repeat(Math.max(0, width));
}

/** A text with blanks up to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

/** Rows in a box of so many columns; a longer row sticks out of it. */
export function box(width: number, rows: readonly string[]): string {
  const edge = rule(width - 2);
  return [`╭${edge}╮`, ...rows.map((row) => `│${pad(row, width - 2)}│`), `╰${edge}╯`].join('\n');
}
