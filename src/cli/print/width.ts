import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The width of a printable text in columns. Terminals show an emoji sequence as one character. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** The text padded with blanks to at least `min` columns. */
export function padToWidth(text: string, min: number): string {
  return text + ' '.repeat(Math.max(0, min - displayWidth(text)));
}

/** The text cut to at most `max` columns, with an ellipsis if something is missing. */
export function cutToWidth(text: string, max: number): string {
  if (displayWidth(text) <= max) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += displayWidth(segment);
    if (width > max) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The text in lines of at most `max` columns, broken between words, or within a word that is longer. */
export function wrapToWidth(text: string, max: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= max) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = piecesOf(word, max);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return line === '' ? lines : [...lines, line];
}

function piecesOf(word: string, max: number): string[] {
  const pieces = [''];
  for (const { segment } of segmenter.segment(word)) {
    const longer = pieces.at(-1) + segment;
    if (displayWidth(longer) <= max) pieces[pieces.length - 1] = longer;
    else pieces.push(segment);
  }
  return pieces;
}
