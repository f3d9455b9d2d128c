import { eastAsianWidth } from 'get-east-asian-width';

/** Characters of zero width: combining marks, format characters, and Korean letters that join the one before. */
const zero = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;

/** How many cells a text takes in a pane, which gives each character cells of its own. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += cellsOfOne(character);
  return cells;
}

/** The UTF-16 offset of the character at a cell; the text’s length if the text ends before it. */
export function offsetOf(text: string, cell: number): number {
  let cells = 0;
  let offset = 0;
  for (const character of text) {
    if (cells >= cell) return offset;
    cells += cellsOfOne(character);
    offset += character.length;
  }
  return offset;
}

function cellsOfOne(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  return zero.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}
