// PostgreSQL's texts accept every character except U+0000, which panes and JavaScript strings may contain. Unicode will
// never assign this mark, so a text that contains neither character is stored unchanged.
const mark = '\u{10fffe}';
const written = new Map([
  ['\0', `${mark}0`],
  [mark, `${mark}1`],
]);
const read = new Map([...written].map(([one, other]) => [other, one]));

/** A text as PostgreSQL stores it. */
export function heldText(text: string): string {
  if (!text.includes('\0') && !text.includes(mark)) return text;
  return text.replaceAll(/\0|\u{10fffe}/gu, (found) => written.get(found) ?? found);
}

/** Reverses `heldText`. */
export function exactText(held: string): string {
  return held.includes(mark) ? held.replaceAll(/\u{10fffe}[01]/gu, (found) => read.get(found) ?? found) : held;
}
