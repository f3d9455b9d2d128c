import { attributes } from '#contract/pane/attributes.ts';

const drawn = new Map(
  [...'jklmnqtuvwx`afgopqrsyz{|}~'].map((letter, at) => [letter, [...'┘┐┌└┼─├┤┴┬│◆▒°±⎺⎻─⎼⎽≤≥π≠£·'][at] ?? letter]),
);

const attributeOrLetter = new RegExp(`${attributes.source}|[\\s\\S]`, 'g');
const shiftOut = '\u000e';
const shiftIn = '\u000f';

/**
 * Rows in which the letters that tmux writes for lines and corners, between two marks, are replaced by what a person
 * sees. The part between the marks may span several rows; attributes in it stay as they are.
 */
export function withLinesDrawn(rows: readonly string[]): string[] {
  if (!rows.some((row) => row.includes(shiftOut))) return [...rows];
  let drawing = false;
  return rows.map((row) =>
    row.replace(attributeOrLetter, (part) => {
      if (part === shiftOut || part === shiftIn) {
        drawing = part === shiftOut;
        return '';
      }
      return drawing ? (drawn.get(part) ?? part) : part;
    }),
  );
}
