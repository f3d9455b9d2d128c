import { eastAsianWidth } from 'get-east-asian-width';
import { isPlainText } from './plain-text.ts';

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
  if ((character >= ' ' && character <= '~') || isPlainText(character)) return 1;
  return hasNoWidth(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** Whether it is a combining mark, a format character, or a Korean letter that joins the one before. */
function hasNoWidth(character: string): boolean {
  // Not made while this module loads: each class of Unicode takes as long as a request.
  return /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u.test(character);
}
