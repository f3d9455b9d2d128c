import type { Row } from '#machines/pane/screen.ts';

/** Circles before the options of a list, of which the filled one alone may be the bullet of an answer. */
const radio = /^[ │┃║|]*([○●◉⦿])\ufe0e? +\S/u;
/** Signs before options, of which one is filled, and another one is not: `●` and `◯` together are no options. */
const marks = [
  /^[ │┃║|]*([○●◉◎⦿⦾⚪⚫🔘])[\ufe0e\ufe0f]? +\S/u,
  /^[ │┃║|]*([◯◉◎⦿⬤])\ufe0e? +\S/u,
  /^[ │┃║|]*(\[[ xX]\]) +\S/u,
];
/** Squares and check boxes. */
const boxes = [/^[ │┃║|]*([■□▣◼◻◆◇◈])\ufe0e? +\S/u, /^[ │┃║|]*([☐☑☒])\ufe0e? +\S/u];
/** Two options in one row. */
const radioPair = /(?=.*[○◯])(?:^|[ │┃║|])[○●◉⦿◯] \S+(?: \S+){0,3} +[○●◉⦿◯] \S/u;

/** Whether a text is two options with circles. */
export const isRadioPair = (text: string): boolean => radioPair.test(text);

/** Whether a row and the one above or below it have circles or brackets in one column, not all of them filled. */
export function hasRadioBeside(rows: readonly Row[], at: number): boolean {
  if (marks.some((sign) => hasOtherBeside(rows, at, sign))) return true;
  return signOf(rows, at, radio) !== '●' && [at - 1, at + 1].some((beside) => isBeside(rows, at, beside, radio));
}

/** The same of squares and check boxes, which a list of tasks also has. */
export const hasBoxBeside = (rows: readonly Row[], at: number): boolean =>
  boxes.some((sign) => hasOtherBeside(rows, at, sign));

/** Whether a row and the one above or below it have two different ones of some signs in one column. */
function hasOtherBeside(rows: readonly Row[], at: number, sign: RegExp): boolean {
  return [at - 1, at + 1].some(
    (beside) => isBeside(rows, at, beside, sign) && signOf(rows, at, sign) !== signOf(rows, beside, sign),
  );
}

function isBeside(rows: readonly Row[], at: number, beside: number, sign: RegExp): boolean {
  const [own, other] = [rows[at], rows[beside]];
  if (own === undefined || other === undefined || startOf(own) !== startOf(other)) return false;
  return [own, other].every(({ text }) => sign.test(text));
}

const signOf = (rows: readonly Row[], at: number, sign: RegExp): string | undefined =>
  sign.exec(rows[at]?.text ?? '')?.[1];

/** The column in which the text of a row begins, within its frame. */
export function startOf({ text }: Row): number {
  return text.search(/[^ │┃║|]|$/u);
}
