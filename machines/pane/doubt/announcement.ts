import type { ScreenLayout } from '#contract/pane/screen-rule.ts';
import { pattern } from '#machines/pane/pattern.ts';
import { type Row, styleAt } from '#machines/pane/screen.ts';
import { showsProgress } from './progress-row.ts';
import { isBareSymbol } from './symbol-row.ts';

const word = "[\\p{L}\\p{M}\\p{N}'’()\\[\\]«»/%,…*—–●○◌-]{1,31}";
/**
 * Up to six words of any language, without the end of a sentence, a name of a file, a sign before them, or the dot
 * between the parts of a notice.
 */
const fewWords = `(?=.*(?:\\p{L}\\p{M}*){2}|.*\\p{Lo})(?:[(\\[«—–*] ?)?\\p{L}(?:${word})?(?: ${word}){0,5}(?<![,.])`;
/** Such words that do not look like a command, which is in small letters, or end in dots, or with a time. */
const announcing = new RegExp(
  [
    `^(?=[^\\p{L}]*(?:\\p{Lu}|\\p{Lo})|.*(?!\\p{ASCII})\\p{L})${fewWords}$`,
    `^${fewWords} ?(?:…|\\.{3})$`,
    `^${fewWords} \\((?:\\d+[hm] ?){0,3}\\d+s\\)$`,
  ].join('|'),
  'u',
);
/** Programs that a command at the end of an answer begins with. */
const programs =
  'npm|npx|pnpm|yarn|bun|node|deno|git|gh|make|cmake|cargo|go|pip|uv|pytest|python|ruby|bundle|rails|java|mvn|gradle|docker|kubectl|helm|terraform|cd|ls|cat|rm|cp|mv|mkdir|touch|echo|grep|sed|find|curl|ssh|sudo|apt|brew|muster';
/** Such words in small letters. Of them, only the last text above a composer may announce work. */
const quiet = new RegExp(
  `^(?!(?:${programs})(?: |$))\\p{Ll}[\\p{L}\\p{M}'’]{1,30}(?:,? [\\p{L}\\p{M}'’]{1,31}){0,5}$`,
  'u',
);
/** One to three words, and the file that they are about: of these, too, only the last text above a composer. */
const aboutFile =
  /^\p{Lu}[\p{L}\p{M}'’]{1,20} (?:[\p{L}\p{M}'’]{1,20} ){0,2}(?:[\w.@~-]*\/)*[\w@-][\w.@-]*\.\p{L}\w{0,4}(?:…|\.{3})?$/u;
/** A title without anything below it. */
const bareTitle = new RegExp(`^${fewWords}:$`, 'u');
/** An item of a list. */
const item = /^ *(?:[-+*•–]|\d+[.)]) \S/u;
/** What leads to a detail of the work, or has a title of its own, or is no text. */
const detail = /^ *(?:[└⎿├╰]|\p{Lu}\p{L}{1,15}: |[^\p{L}\p{N}]*$)/u;
/** What CLIs show between what they do and their composer: its details, its list, a key, the folder. */
const below = new RegExp(`${detail.source}|^ *(?:[☐☑☒✓✔] |(?:Shift|Ctrl|Alt|Tab|Esc)\\b.* to |~?/\\S)`, 'u');
/** The frame or the bar of a sent prompt. */
const promptFrame = /^ *[└╰┃]/u;

/**
 * Whether a row may announce work, in any language and without any sign: a few words alone between blank rows. They may
 * also be a sent prompt, the title of a list, or all of a short answer, if the CLI begins its answers with no sign.
 * `since` are the rows down to the composer, and `above` those before them.
 */
export function isAnnouncement(
  since: readonly Row[],
  at: number,
  above: readonly Row[],
  layout: ScreenLayout,
): boolean {
  const row = since[at];
  if (row === undefined) return false;
  // Right above the composer no answer ends: a blank row is below it.
  const isLast = at === since.length - 1;
  const text = row.text.replace(/^[ │┃]+| +[│┃]$/gu, '');
  const isAlone = at >= since.length - 3 && !since.slice(at + 1).some(isText);
  const isApart = isLast || !isText(since[at - 1] ?? above.at(-1));
  const isNamed = announcing.test(text) || (isAlone && bareTitle.test(text));
  const isQuiet = quiet.test(text) || aboutFile.test(text) || showsProgress(text) || isBareSymbol(row.text);
  // Most rows are neither: only for the others it is worth looking at all rows below.
  const isLowest = (): boolean => isApart && since.slice(at + 1).every((later) => below.test(later.text));
  if (!isNamed && !(isQuiet && isLowest())) return false;
  if (!isLast && (isText(since[at - 1]) || continues(since[at + 1]))) return false;
  if (at === 0 && (isWrappedNotice(above.at(-1), layout) || isWrappedEnd(text, above.at(-1), layout))) return false;
  if (since[at - 2]?.text.endsWith(':')) return false;
  if (since.slice(at + 1).some((later) => item.test(later.text))) return false;
  if (layout.transcript !== undefined) return true;
  const before = [...above, ...since.slice(0, at)].findLast(isText);
  return !isPrompt(row) && (before === undefined || !isPrompt(before));
}

const isText = (row: Row | undefined): boolean => row !== undefined && row.text !== '';

const continues = (row: Row | undefined): boolean => row !== undefined && isText(row) && !detail.test(row.text);

/** Whether a row is what a CLI says of its own, after one of its signs: a narrow pane wraps it into the next row. */
function isWrappedNotice(row: Row | undefined, { known, echo }: ScreenLayout): boolean {
  if (row === undefined || known?.signs === undefined || (echo !== undefined && pattern(echo).test(row.text)))
    return false;
  return pattern(`^${known.signs} .*\\p{L}`).test(row.text);
}

/** Whether a text is what a narrow pane wraps of the time at the end of a turn. */
function isWrappedEnd(text: string, end: Row | undefined, { known }: ScreenLayout): boolean {
  if (end === undefined || !/^[AP]M$/.test(text)) return false;
  return known?.ends.some((source) => pattern(source).test(end.text)) === true;
}

function isPrompt(row: Row): boolean {
  return promptFrame.test(row.text) || styleAt(row, row.text.search(/\S/)).background !== '';
}
