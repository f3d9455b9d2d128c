import type { ScreenLayout } from '#contract/pane/screen-rule.ts';
import { framedText } from './framed-text.ts';
import { pattern } from './pattern.ts';

/** The marks of a selected choice, if a harness defines none. */
const anyMarks = '❯›→▸▶●◉';
/** The sign of a choice that is not selected. */
const sign = /^(?:[○◯☐☑]|\( \)) */u;
const number = /^(\d+)[.)] /;
/** A choice with its own key, which only choices have. */
const keyed = /^\d[.)] .*\(esc\)$/i;
const buttons =
  /^\[[a-z]\] \S.*\[[a-z]\] \S|^(?:Allow once|Confirm|Approve|Accept|Yes|Submit|OK)\b.* {2,}(?:Reject|Cancel|Deny|Decline|No|Back)\b/;
/** How far above the selected choice the first one may be, in rows. */
const furthest = 24;

/** A regular expression for the mark of a selected choice. */
export function markOf({ forms }: ScreenLayout): RegExp {
  const own = forms.map((shape) => (shape.kind === 'marked' ? shape.marks : '')).join('');
  return pattern(`^(?:[${own === '' ? anyMarks : own}]+|\\([x•*]\\)) *(?=\\S)`);
}

/** Whether a text is a row of choices, such as `[y] Approve   [n] Deny`. */
export const isButtons = (text: string): boolean => buttons.test(text);

/** The first row with a choice between `from` and `to`; -1 if there is none. */
export function firstChoice(rows: readonly string[], mark: RegExp, from: number, to: number): number {
  for (let at = to; at >= from; at -= 1) {
    const { text } = framedText(rows[at] ?? '');
    if (isButtons(text)) return at;
    if (mark.test(text)) return firstOfList(rows, mark, at);
  }
  const below = rows.findIndex((row, at) => at >= from && at <= to && keyed.test(framedText(row).text));
  return below < 0 ? -1 : firstOfList(rows, mark, below);
}

function firstOfList(rows: readonly string[], mark: RegExp, marked: number): number {
  const { text, column } = framedText(rows[marked] ?? '');
  const option = text.replace(mark, '');
  const own = numberOf(option);
  if (own === 0) return firstInLine(rows, marked, column + text.length - option.length);
  let first = marked;
  let next = own - 1;
  for (let at = marked - 1; at >= marked - furthest && next > 0; at -= 1) {
    if (numberOf(framedText(rows[at] ?? '').text) !== next) continue;
    first = at;
    next -= 1;
  }
  return first;
}

/** The first of the adjacent rows above that are aligned with a choice, or indented further, as its description is. */
function firstInLine(rows: readonly string[], marked: number, column: number): number {
  let first = marked;
  for (let at = marked - 1; at >= Math.max(0, marked - furthest); at -= 1) {
    const { text, column: start } = framedText(rows[at] ?? '');
    if (text === '' || start + text.length - text.replace(sign, '').length < column) break;
    first = at;
  }
  return first;
}

function numberOf(text: string): number {
  return Number(number.exec(text)?.[1] ?? 0);
}
