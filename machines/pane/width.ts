const zero = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;

/** How many cells a text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += cells(character);
  return width;
}

/** The UTF-16 offset of the character that begins at a column; the text's length where it ends before that. */
export function offsetOf(text: string, column: number): number {
  let width = 0;
  let offset = 0;
  for (const character of text) {
    if (width >= column) return offset;
    width += cells(character);
    offset += character.length;
  }
  return offset;
}

function cells(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  if (zero.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
