const plain = /^[\x20-\x7e]*$/;
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u4DBF\u4E00-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{17000}-\u{18AFF}\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many columns a printable text takes on a terminal. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The text filled up with blanks to `least` columns. */
export function padToWidth(text: string, least: number): string {
  return text + ' '.repeat(Math.max(0, least - displayWidth(text)));
}

/** The text cut to at most `most` columns, an ellipsis at its end where something is missing. */
export function cutToWidth(text: string, most: number): string {
  if (displayWidth(text) <= most) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += graphemeWidth(segment);
    if (width > most) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The text in lines of at most `most` columns, broken between words, and within a word that is longer. */
export function wrapToWidth(text: string, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= most) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = piecesOf(word, most);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return line === '' ? lines : [...lines, line];
}

function piecesOf(word: string, most: number): string[] {
  const pieces = [''];
  for (const { segment } of segmenter.segment(word)) {
    const longer = pieces.at(-1) + segment;
    if (displayWidth(longer) <= most) pieces[pieces.length - 1] = longer;
    else pieces.push(segment);
  }
  return pieces;
}

function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return /^\p{M}+$/u.test(grapheme) ? 0 : 1;
}
