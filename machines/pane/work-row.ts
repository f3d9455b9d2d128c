import { wordStart } from './harness/common.ts';

/** How far above a composer a CLI draws what it does, in rows. */
export const reach = 14;

const time = '(?:\\d+[hm] ?){0,3}\\d+(?:\\.\\d)?s';
const stop = '(?:[Ee]sc(?:ape)?|⎋|[Cc]trl[+-][Cc])';
/** Up to six words that begin as a status does: not with a small letter, a bullet or a quotation mark. */
const fewWords = '(?![\\p{Ll}*•·+>|#"\'`-])(?:[^\\s,;]{1,40} ){0,5}[^\\s,;.]{1,40}';

/** A sign that nothing but work is known to begin with, alone or before words. */
const signed = new RegExp(
  `^(?:[\\\\/] |~+ |[▖▗▘▙▚▛▜▝▞▟] |(?!${wordStart})[^\\p{L}\\p{N}\\p{Sc}\\s\\u2500-\\u259f§¶©®°±×÷≤≥≠➜➡⇒»›]{1,3}(?: +(?!\\d+[.)] )|$))`,
  'u',
);
/** A bar that fills. */
const bar = /^(?:\S.{0,40} )?(?:\[[#=>.~ -]{4,}\]|[█▓▒░▰▱▮▯■□⣿⣀━╸╺]{3,})(?: .{0,60})?\d{1,3} ?%/u;
/** A few words, and that they go on, for how long, or how they are stopped. */
const counting = new RegExp(
  `^${fewWords}(?:(?: ?…|\\.{3})(?: ?\\(.*\\))?|[ ·•-]*\\(${time}(?:[ ,·•][^()]*)?\\)|[ ,·•(]+${stop} (?:\\S+ )?(?:to )?(?:interrupt|cancel|stop|abort)\\)?)$|^\\p{Lu}\\p{L}+ing\\b.{0,40} \\d{1,3} ?%$`,
  'u',
);
/** A time, and how to stop, in either order. */
const hinted = new RegExp(
  `^\\W{0,3}(?:${time}[ ·•|,()-]+${stop}\\b.{0,30}|${stop} (?:again )?(?:to )?(?:interrupt|cancel|stop|abort)\\b.{0,6}(?:${time}.{0,3})?)$`,
  'u',
);

/** A row of words, as an answer has it, and the end of a sentence. */
const worded = new RegExp(`^ *${wordStart}.*\\p{L}`, 'u');
const sentence = /^ *\p{L}.*[^.…\s][.!?]$/u;

/**
 * Whether a row shows work as CLIs draw it, at any indentation: with a sign that may turn, a bar that fills, a time that
 * counts, or the key that stops it. `own` matches the signs of a CLI that never turn. A row between two rows of words,
 * or above a sentence, is part of an answer, which may quote such a row.
 */
export function showsWork(rows: readonly string[], at: number, own: RegExp | undefined): boolean {
  const text = textIn(rows[at] ?? '');
  const [above, below] = [worded.test(rows[at - 1] ?? ''), worded.test(rows[at + 1] ?? '')];
  if (text === '' || (above && below)) return false;
  const words = unsigned(text, own);
  const isStrange = (words === text && signed.test(text)) || bar.test(words) || hinted.test(words);
  // CLIs leave a blank row below an answer.
  const isCounting = counting.test(words) && (!above || at === rows.length - 1);
  return (isStrange || isCounting) && !rows.slice(at + 1).some((row) => sentence.test(unsigned(textIn(row), own)));
}

/** The text of a row, without frames and without what is further to the right: that is a sidebar's. */
function textIn(row: string): string {
  return row
    .replace(/^[ │┃║|]+/u, '')
    .replace(/(?<=\S) {4,}\S.*$/u, '')
    .replace(/ *[│┃║]$/u, '');
}

function unsigned(text: string, own: RegExp | undefined): string {
  return text.slice(own?.exec(text)?.[0].length ?? 0).trimStart();
}
