import { wordStart } from '#machines/pane/harness/common.ts';
import { showsTurn } from './progress-row.ts';

/** How far above a composer a CLI draws what it does, in rows. */
export const reach = 14;

const time = '(?:(?:\\d+[hm] ?){0,3}\\d+(?:\\.\\d)? ?(?:s|secs?|с|сек|秒|초)|\\d+:\\d\\d)(?![\\p{L}\\p{N}])';
const stop = '(?:[Ee]sc(?:ape)?|ESC|⎋|[Cc]trl[+-][Cc]|\\^C)';
const stops = '(?:interrupt|cancel|stop|abort|halt)s?\\b';
const word = '[^\\s,;:.()]{1,40}';
/** Up to six words that begin as a status does: not with a small letter, a bullet, a quotation mark or a check mark. */
const fewWords = `(?![\\p{Ll}/~*•·+>|#"'\`✅✔✓☑❌✗✘-])(?:${word} ){0,5}${word}`;
const doing = '(?!Remaining|Nothing|Everything|Warning|Setting|String)\\p{Lu}\\p{L}{2,20}ing';

/** A sign that nothing but work is known to begin with, alone or before words. */
const signed = new RegExp(
  `^(?:[\\\\/] |~+ |[▖▗▘▙▚▛▜▝▞▟] |(?!${wordStart})[^\\p{L}\\p{N}\\p{Sc}\\s\\u2500-\\u259f§¶©®°±×÷≤≥≠≈➜➡⇒»›]{1,3}(?: +(?!\\d+[.)] )|$))`,
  'u',
);
/** A sign that CLIs let turn, before what it does: a person's own status line may have other signs, and other words. */
const turning = /^(?:[\u2801-\u28ff] \p{L}|[◐-◓◜-◡◴-◷⟲⟳↻↺⏳⌛🔄] (?:\p{L}+ing\b|\d|.*(?:…|\.{3})$))/u;
/** A bar that fills. */
const bar =
  /^(?:\S.{0,40} )?(?:(?:\[[#=>.~ -]{4,}\]|[█▓▒░▰▱▮▯■□⣿⣀━╸╺]{3,})(?: .{0,60})?\d{1,3} ?%|[▰▱▮▯]{4,}|█+[▒░]+)/u;
/** A time, and how to stop. */
const timed = new RegExp(`^[^\\p{L}\\p{N}]{0,3}${time}[ ·•|,()-]+${stop}(?!\\p{L}).{0,30}$`, 'u');
/** How to stop, and perhaps a time, and nothing else. */
const hinted = new RegExp(
  `^[^\\p{L}\\p{N}]{0,3}(?:(?:[Pp]ress )?\\[?${stop}\\]?(?: again)?(?: to |[ =:]+)${stops}.{0,6}(?:${time}.{0,3})?|[Pp]ress \\S{1,8} to ${stops})$`,
  'u',
);
/** What is counted as under way or as waiting for its turn. */
const pending = new RegExp(
  [
    '^(?:\\S )?\\d+ (?:\\S+ ){0,2}(?:tasks?|jobs?|(?:sub)?agents?|messages?|prompts?|approvals?|requests?)(?: \\S+){0,2} (?:running|working|queued|pending|in progress)\\b',
    '^(?:\\S )?\\d+ (?:queued|pending|running|background) ',
    '^(?:Queued\\b.{0,20}|Background(?: \\S+)?):',
    '\\(queued\\)$',
    '\\bto edit queued (?:messages?|prompts?)$',
  ].join('|'),
  'u',
);
/** A few words, and that they go on, for how long, or how they are stopped. */
const counting = new RegExp(
  [
    `^${fewWords}(?:(?: ?…|\\.{3})(?: ?\\(.*\\))?|[ ·•-]*[([]${time}(?:[ ,·•][^()]*)?[)\\]]?|[ ,·•(]+${stop} (?:\\S+ )?(?:to )?${stops}\\)?)$`,
    `^(?:\\p{L}\\S{0,30} ){1,4}(?<!\\b(?:in|took|after|within) )(?:for )?(?:· )?${time}(?: [·•].*)?$`,
    `^[([]?${time}[)\\]]? (?:${word} ){0,3}${word}$`,
    `^${doing}\\b.{0,40} \\d{1,3} ?%$`,
  ].join('|'),
  'u',
);
/** Only what it does. */
const named = new RegExp(
  `^(?:${doing}(?: ${word}){0,3}|${fewWords} in progress|thinking|working|loading|running)$`,
  'u',
);
/** What a placeholder says while a turn runs. */
const waiting = new RegExp(`\\b[Qq]ueued\\b|^${doing}\\b.{0,40}(?:…|\\.{3})`, 'u');
/** A marked option, or options with their keys. */
const choosing = /^(?:[❯›▸▶➤»] ?(?:\d+[.)] )?\S|> \d+[.)] \S|\([ •*x]\) \S|(?:.{0,40} )?\[\w\] \w+ +\[\w\] \w+)/u;
/** The same below a composer, where no answer is: an option, a command with its description, or a box. */
const offered = new RegExp(`${choosing.source}|^(?:[>→] |\\d+[.)] |\\[[ x]\\] |\\/[a-z-]+ {2,})\\S|^[╭┌]─`, 'u');
/** How to answer by a key, or by a button. */
const answered =
  /^(?:.{0,60} )?(?:[([](?:\p{L}\/\p{L}|[Yy]es\/[Nn]o)[)\]]\??|[Yy]: ?\w+ {1,3}[Nn]: ?\w+|\[a\]\w+ +\[[dr]\]\w+|(?:‹|\[ )(?:Yes|OK|Allow|Approve)(?:›| \]).{0,60}|(?:[Pp]ress )?(?:[Yy]\/)?(?:y|[Ee]nter|[Ss]pace) (?:to )?(?:approve|confirm|allow|accept|toggle)\b.{0,60})$/u;

/** What a key does; a narrow pane may cut it off by dots. */
const keyHint = /^[?!/@#&←→↑↓⏎↵] for\b/u;

/** A row of words, as an answer has it, and the end of a sentence. */
const worded = new RegExp(`^ *${wordStart}.*\\p{L}`, 'u');
const sentence = /^(?:[•◦*–-] )?\p{L}.*[^.…\s][.!?]$/u;
/** A row in the middle of a sentence. */
const prose = /^(?:\p{Ll}+[:,]? ){3}/u;

/**
 * Whether a row shows work as CLIs draw it, at any indentation: with a sign that may turn, a bar that fills, a time that
 * counts, or the key that stops it. `own` matches the signs of a CLI that never turn; without it,
 * no sign shows work. A row between two rows of words,
 * or above a sentence, is part of an answer, which may quote such a row. `isSaid`: a row of the transcript is below it.
 */
export function showsWork(rows: readonly string[], at: number, own: RegExp | undefined, isSaid: boolean): boolean {
  return looksLikeWork(rows, at, own, isSaid) && !isInAnswer(rows, at, own);
}

/** Whether a sentence below a row shows that an answer quotes it. */
export function isInAnswer(rows: readonly string[], at: number, own: RegExp | undefined): boolean {
  const later = rows.slice(at + 1).map(textIn);
  return later.some((row) => prose.test(row) || sentence.test(unsigned(row, own)));
}

function looksLikeWork(rows: readonly string[], at: number, own: RegExp | undefined, isSaid: boolean): boolean {
  const text = textIn(rows[at] ?? '');
  if (text === '') return false;
  const words = unsigned(text, own);
  // Without its signs, a CLI may begin the prompts that were sent with such a mark.
  if ((own !== undefined && choosing.test(text)) || answered.test(words)) return true;
  const [above = '', below = ''] = [rows[at - 1], rows[at + 1]];
  if (worded.test(above) && worded.test(below)) return false;
  if (own !== undefined && words === text && signed.test(text)) return true;
  if ([bar, timed, hinted, pending].some((look) => look.test(words))) return true;
  // A row below words is a part of them, unless it is further indented or nothing separates it from the composer.
  if (worded.test(above) && at < rows.length - 1 && indentOf(rows[at] ?? '') <= indentOf(above)) return false;
  if (counting.test(words)) return true;
  return named.test(words) && !isSaid;
}

/** Whether a part of a row next to the composer shows work or a question: a row of its frame, or of its footer. */
export function partShowsWork(row: string): boolean {
  const looks = [turning, timed, pending, counting, answered];
  const parts = partsOf(row).filter((part) => !keyHint.test(part));
  return parts.some((part) => looks.some((look) => look.test(part)) || showsTurn(part));
}

/** Whether a row below a composer offers a choice. */
export const offersChoice = (row: string): boolean => offered.test(row.trim());

/** Whether the placeholder of an empty composer says that a turn runs, how to stop it, or that prompts are queued. */
export function placeholderShowsWork(row: string): boolean {
  return partsOf(row).some((part) => [turning, timed, hinted, waiting].some((look) => look.test(part)));
}

function partsOf(row: string): string[] {
  const framed = row.split(/[─━═▀▄╭╮╰╯┃│]+/u);
  return framed.flatMap((part) => [part, ...part.split(/ {2,}| [·•|] /u)]).map((part) => part.trim());
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

function indentOf(row: string): number {
  return row.search(/\S|$/);
}
