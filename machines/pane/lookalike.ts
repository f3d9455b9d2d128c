import type { ScreenLayout } from '#contract/pane/screen-rule.ts';
import { pattern } from './pattern.ts';
import type { Row } from './screen.ts';

/** A horizontal rule, in any character. */
const rule = /^ *[^\p{L}\p{N}\s]?([─━═╌▔▁▄▀_=-])\1{7,}[^\p{L}\p{N}\s]? *$/u;
/** The edge of a box, which may contain words. */
const edge = /^ *[^\p{L}\p{N}\s].*?([─━═╌▔▁▄▀_=-])\1{7,}/u;
/** A prompt sign with the text after it, except numbered choices. */
const prompted = /^[ │┃║|]*[^\p{L}\p{N}\s│┃║|$#%](?: +(?!\d+[.)] )(.*?))?[ │┃║|]*$/u;
const blank = /^[ │┃║|]*$/u;
/** Maximum height of an empty composer, in rows. */
const maxBlank = 5;

/**
 * The first row that looks like a composer that the rules do not know; -1 if there is none. Questions above it are
 * outdated.
 */
export function findLookalike(rows: readonly Row[], { ghost }: ScreenLayout): number {
  const texts = rows.map(({ text }) => text);
  const isGhost = (text: string): boolean =>
    [...ghost.texts, ...ghost.plainTexts].some((source) => pattern(source).test(text.trim()));
  return texts.findIndex((text, at) => {
    const said = prompted.exec(text);
    if (said !== null && isGhost(said[1] ?? '')) return true;
    const isEnclosed = rule.test(texts[at - 1] ?? '') && rule.test(texts[at + 1] ?? '');
    return (said !== null && isEnclosed) || isEmptyBox(texts, at);
  });
}

function isEmptyBox(texts: readonly string[], from: number): boolean {
  const sign = edge.exec(texts[from - 1] ?? '')?.[1];
  const end = texts.findIndex((text, at) => at >= from && !blank.test(text));
  if (sign === undefined || end <= from || end - from > maxBlank) return false;
  return edge.exec(texts[end] ?? '')?.[1] === sign;
}
