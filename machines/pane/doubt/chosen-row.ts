import type { ScreenLayout } from '#contract/pane/screen-rule.ts';
import { pattern } from '#machines/pane/pattern.ts';
import { type Row, styleAt } from '#machines/pane/screen.ts';

/** Circles before the options of a list: empty, filled, and the pair of which the empty one alone is no option's. */
const radio = /^[ │┃║|]*([○●◉⦿])\ufe0e? +\S/u;
const largeRadio = /^[ │┃║|]*([◯◉])\ufe0e? +\S/u;
/** Two options in one row. */
const radioPair = /(?=.*[○◯])(?:^|[ │┃║|])[○●◉⦿◯] \S+(?: \S+){0,3} +[○●◉⦿◯] \S/u;
/** A short text, as an option is: it begins with a letter or its number, and ends no sentence. */
const option = /^(?:\d+[.)] )?\p{L}\S*(?: \S+){0,5}(?<![.!?:])$/u;

/** Whether a row above a composer is marked among its neighbours by its look, or by a circle, as a choice is. */
export function isChosen(rows: readonly Row[], at: number): boolean {
  const row = rows[at];
  return row !== undefined && (reversed(row).length > 0 || isLit(rows, at) || hasRadioBeside(rows, at));
}

/** Whether a row below a composer is: a person's own status line may have words in reverse video. */
export function isChosenBelow(rows: readonly Row[], at: number, { known }: ScreenLayout): boolean {
  const row = rows[at];
  if (row === undefined || known?.ends.some((end) => pattern(end).test(row.text))) return false;
  if (isLit(rows, at) || hasRadioBeside(rows, at) || radioPair.test(row.text)) return true;
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

/** Whether a row and the one above or below it have circles in the same column, not both of them filled. */
function hasRadioBeside(rows: readonly Row[], at: number): boolean {
  return [radio, largeRadio].some((sign) => {
    const own = sign.exec(rows[at]?.text ?? '');
    if (own === null) return false;
    return [rows[at - 1], rows[at + 1]].some((other) => {
      const beside = sign.exec(other?.text ?? '');
      if (beside === null || other === undefined || startOf(other) !== startOf(rows[at] ?? other)) return false;
      return sign === radio ? own[1] !== '●' || beside[1] !== '●' : own[1] !== beside[1];
    });
  });
}

function startOf({ text }: Row): number {
  return text.search(/[^ │┃║|]|$/u);
}
