import { cellsOf } from '#contract/pane/cells.ts';
import { isPlainText } from '#contract/pane/plain-text.ts';

/** Made for the first text that needs it: that takes a tenth of the time of a command. */
let segmenter: Intl.Segmenter | undefined;

/** The width of a printable text in columns. Terminals show an emoji sequence as one character. */
export function displayWidth(text: string): number {
  if (isPlainText(text)) return text.length;
  if (!isJoined(text)) return cellsOf(text);
  return charactersOf(text).reduce((width, character) => width + (isEmoji(character) ? 2 : cellsOf(character)), 0);
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
  for (const segment of charactersOf(text)) {
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
  for (const segment of charactersOf(word)) {
    const longer = pieces.at(-1) + segment;
    if (displayWidth(longer) <= max) pieces[pieces.length - 1] = longer;
    else pieces.push(segment);
  }
  return pieces;
}

/** The characters as a person sees them: each with its marks, and an emoji sequence as one. */
function charactersOf(text: string): readonly string[] {
  if (isPlainText(text)) return [...text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Whether it has characters that may join the one before: joiners, selectors, skin tones, letters of flags. */
function isJoined(text: string): boolean {
  // Not made while this module loads: each class of Unicode takes as long as a request.
  return /[\u200D\uFE0F\p{Emoji_Modifier}\p{Regional_Indicator}]/u.test(text);
}

function isEmoji(character: string): boolean {
  return /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u.test(character);
}
