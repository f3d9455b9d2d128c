import type { ScreenLayout } from '#contract/pane/screen-rule.ts';
import { pattern } from '#machines/pane/pattern.ts';
import { cropRow, everyCell, type Row, styleAt } from '#machines/pane/screen.ts';
import type { Style } from '#machines/pane/style.ts';
import { hasBoxBeside, hasRadioBeside, isRadioPair, startOf } from './option-mark.ts';

/** A short text, as an option is: it begins with a letter or its number, and ends no sentence. */
const option = /^(?:\d+[.)] )?\p{L}\S*(?: \S+){0,5}(?<![.!?:])$/u;
/** An arrow before an option. */
const pointed = /^[ │┃║|]*(?:[→➜⇒➔☞>]|[=-]{1,2}>) ?(?=\p{L}\S*(?: \S+){0,5}(?<![.!?:)])$)/u;

/** The sign and the number of a line in a diff. */
const diffLine = /^[ │┃║|]*([-+]) *(\d+)(?: |$)/u;

/** How many options a short list has at most. */
const longestList = 9;

/** Whether a row above a composer is marked among its neighbours by its look, or by a circle, as a choice is. */
export function isChosen(rows: readonly Row[], at: number): boolean {
  const row = rows[at];
  if (row === undefined) return false;
  if (isLit(rows, at) || isLitNumber(rows, at) || hasRadioBeside(rows, at)) return true;
  return !isEditedLine(rows, at) && (reversed(row).length > 0 || isLitByKey(row));
}

/**
 * Whether a row above a composer may be a choice among others: by an arrow, by its colour alone, or by that of a part of
 * it. An answer may quote such a row.
 */
export function mayBeChosen(rows: readonly Row[], at: number): boolean {
  const row = rows[at];
  if (row === undefined) return false;
  return isRadioPair(row.text) || isPointedAt(rows, at) || isOddPart(row) || isOddOption(rows, at);
}

/** Whether a row below a composer is: a person's own status line may have words in reverse video. */
export function isChosenBelow(rows: readonly Row[], at: number, { known }: ScreenLayout): boolean {
  const row = rows[at];
  if (row === undefined || known?.ends.some((end) => pattern(end).test(row.text))) return false;
  if (isLit(rows, at) || isLitNumber(rows, at) || isRadioPair(row.text)) return true;
  if (hasRadioBeside(rows, at) || hasBoxBeside(rows, at)) return true;
  if (isOddAmongThree(rows, at)) return true;
  const parts = row.text.trim().split(/ {2,}| [│|·] /u);
  return reversed(row).length === 1 && parts.length > 1 && parts.every((part) => option.test(part.trim()));
}

/** The words of a row in reverse video; the single letter that a cursor covers does not count. */
function reversed({ text, runs }: Row): string[] {
  return runs
    .filter(({ style }) => style.reverse)
    .map(({ from, to }) => text.slice(from, to).trim())
    .filter((words) => /\p{L}.*\p{L}|\p{Lo}/u.test(words));
}

/** Whether a row is an option on another background, or in reverse video, than the one above or below it. */
function isLit(rows: readonly Row[], at: number): boolean {
  const row = rows[at];
  if (row === undefined || !isOption(row) || !hasGround(row)) return false;
  return [rows[at - 1], rows[at + 1]].some(
    (other) => other !== undefined && isOption(other) && startOf(other) === startOf(row) && !hasGround(other),
  );
}

const isOption = ({ text }: Row): boolean => option.test(text.trim());

function hasGround(row: Row): boolean {
  const { background, reverse } = styleAt(row, startOf(row));
  return reverse || background !== '';
}

/** Whether keys of options in a row are in reverse video: their words are not. */
function isLitByKey({ text, runs }: Row): boolean {
  return runs.filter(({ from, to, style }) => style.reverse && /^\p{L}$/u.test(text.slice(from, to))).length > 1;
}

/**
 * Whether a row is one of the two of an edited line in a diff, before and after, with what changed within it in reverse
 * video: no choice has both signs at one number.
 */
function isEditedLine(rows: readonly Row[], at: number): boolean {
  const row = rows[at];
  const [whole = '', sign, number] = diffLine.exec(row?.text ?? '') ?? [];
  if (
    row === undefined ||
    sign === undefined ||
    row.runs.some(({ from, style }) => style.reverse && from < whole.length)
  )
    return false;
  const beside = diffLine.exec(rows[sign === '-' ? at + 1 : at - 1]?.text ?? '') ?? [];
  return beside[1] !== undefined && beside[1] !== sign && beside[2] === number;
}

/** Whether the number of an option is in reverse video or on another background, and not that of the one next to it. */
function isLitNumber(rows: readonly Row[], at: number): boolean {
  const row = rows[at];
  const own = row === undefined ? 0 : numberOf(row);
  if (row === undefined || own === 0 || !hasGround(row)) return false;
  return [rows[at - 1], rows[at + 1]].some(
    (other) =>
      other !== undefined &&
      Math.abs(numberOf(other) - own) === 1 &&
      numberOf(other) > 0 &&
      startOf(other) === startOf(row) &&
      !hasGround(other),
  );
}

const numberOf = ({ text }: Row): number => Number(/^[ │┃║|]*(\d)[.)]? +\p{L}/u.exec(text)?.[1] ?? 0);

/** Whether an arrow stands before an option, and another option is aligned with it. */
function isPointedAt(rows: readonly Row[], at: number): boolean {
  const start = pointed.exec(rows[at]?.text ?? '')?.[0].length;
  return [rows[at - 1], rows[at + 1]].some(
    (other) => other !== undefined && isOption(other) && startOf(other) === start,
  );
}

/** Whether a row is a few short texts, one of them in a look of its own. */
function isOddPart(row: Row): boolean {
  const parts = [...row.text.matchAll(/\S+(?: \S+)*/gu)].map(({ index, 0: { length } }) =>
    cropRow(row, index, index + length),
  );
  return parts.length <= longestList && parts.every(isOption) && hasOdd(parts.map(lookOf));
}

/** Whether a row is the one of a short list between blank rows that has a look of its own. */
function isOddOption(rows: readonly Row[], at: number): boolean {
  const row = rows[at];
  if (row === undefined || !isOption(row)) return false;
  const isOther = (other: Row): boolean => !isOption(other) || startOf(other) !== startOf(row);
  const from = rows.slice(0, at).findLastIndex(isOther) + 1;
  const end = rows.findIndex((other, place) => place > at && isOther(other));
  const list = rows.slice(from, end < 0 ? rows.length : end);
  const around = [rows[from - 1], end < 0 ? undefined : rows[end]];
  if (list.length > longestList || around.some((other) => other !== undefined && other.text !== '')) return false;
  const looks = list.map(lookOf);
  return hasOdd(looks) && looks.filter((look) => look === looks[at - from]).length === 1;
}

/** Whether two of the rows next to a row have one look, and the row another: a status line may have two rows. */
function isOddAmongThree(rows: readonly Row[], at: number): boolean {
  const isList = (from: number): boolean => {
    const three = rows.slice(Math.max(0, from), from + 3);
    const others = three.filter((other) => other !== rows[at]).map(lookOf);
    // A wrapped status line may end in the middle of brackets.
    const isListed = (other: Row): boolean => isOption(other) && !/[()]/u.test(other.text);
    const isAligned = three.every((other) => isListed(other) && startOf(other) === startOf(three[0] ?? other));
    return three.length === 3 && isAligned && others[0] === others[1] && hasOdd(three.map(lookOf));
  };
  return [at - 2, at - 1, at].some(isList);
}

/** Whether texts have two looks, and one of them only once. */
function hasOdd(looks: readonly string[]): boolean {
  const kinds = [...new Set(looks)];
  if (kinds.length !== 2 || kinds.includes('')) return false;
  return kinds.some((kind) => looks.filter((look) => look === kind).length === 1);
}

/** The look that all of a text has; empty if it has several. */
function lookOf(row: Row): string {
  const start = startOf(row);
  const first = styleAt(row, start);
  const isSame = (style: Style): boolean => keyOf(style) === keyOf(first);
  return everyCell(row, start, row.text.length, isSame) ? keyOf(first) : '';
}

const keyOf = (style: Style): string => Object.values(style).join();
