import type { FormShape, ScreenLayout } from '#contract/pane/screen-rule.ts';
import { isOvertaken } from './composer.ts';
import { pattern } from './pattern.ts';
import type { Row } from './screen.ts';

/** The first row of the live form, or -1. `rows` are those below the last composer. */
export function findForm(rows: readonly Row[], layout: ScreenLayout): number {
  for (const shape of layout.forms) {
    const head = shape.kind === 'block' ? findBlock(rows, shape.row, layout) : findMarked(rows, shape, layout);
    if (head >= 0) return head;
  }
  return -1;
}

function findBlock(rows: readonly Row[], source: string, layout: ScreenLayout): number {
  const row = pattern(source);
  const last = rows.findLastIndex((candidate) => row.test(candidate.text));
  if (isOvertaken(rows.slice(last + 1), layout)) return -1;
  let head = last;
  while (head > 0 && row.test(rows[head - 1]?.text ?? '')) head -= 1;
  return head;
}

function findMarked(rows: readonly Row[], shape: Extract<FormShape, { kind: 'marked' }>, layout: ScreenLayout): number {
  const texts = rows.map((row) => unframed(row.text));
  const mark = pattern(`^( *)[${shape.marks}] +(\\S.*)$`);
  for (let at = texts.length - 1; at >= 0; at -= 1) {
    const found = mark.exec(texts[at] ?? '');
    const option = found?.[2];
    if (option === undefined) continue;
    const column = (texts[at] ?? '').length - option.length;
    if (!hasSibling(texts, at, column, option, shape.foot)) continue;
    return isOvertaken(rows.slice(at + 1), layout)
      ? -1
      : findHead(rows, at, shape.head, shape.sealed ? layout.transcript : undefined);
  }
  return -1;
}

/** The first row of the form: the nearest above the mark that matches `head`, with no transcript in between. */
function findHead(
  rows: readonly Row[],
  mark: number,
  head: string | undefined,
  transcript: string | undefined,
): number {
  if (head === undefined) return mark;
  for (let at = mark - 1; at >= 0; at -= 1) {
    const text = rows[at]?.text ?? '';
    if (pattern(head).test(text)) return at;
    if (transcript !== undefined && pattern(transcript).test(text)) return -1;
  }
  return 0;
}

const kinds = [/^\d+[.)] /, /^\[.\]/, /^\(.\)/, /^[☐☒☑✔✓○●◯◉◻◼]/u];
const answers = /^(?:yes|no|allow|deny|accept|reject|approve|cancel|continue|quit|exit|trust)\b/i;
const hint = /\b(?:enter|return|esc|escape)\b.*\b(?:to|select|confirm|submit|cancel|back|continue|exit)\b/i;

/** Whether another option is aligned with the marked one. An option without a number needs a hint or two answers. */
function hasSibling(
  texts: readonly string[],
  at: number,
  column: number,
  option: string,
  foot: string | undefined,
): boolean {
  const number = /^(\d+)[.)] /.exec(option)?.[1];
  if (number !== undefined) return texts.some((text, row) => row !== at && isNumbered(text, column, Number(number)));
  const inLine = (row: number): string | undefined => {
    const text = texts[row] ?? '';
    return /^ *$/.test(text.slice(0, column)) && /\S/.test(text[column] ?? '') ? text.slice(column) : undefined;
  };
  const siblings = [at - 2, at - 1, at + 1, at + 2].map(inLine).filter((text) => text !== undefined);
  if (kinds.some((kind) => kind.test(option) && siblings.some((sibling) => kind.test(sibling)))) return true;
  const near = [at - 2, at - 1, at + 1, at + 2].map((row) => (texts[row] ?? '').trim());
  if (answers.test(option) && near.some((sibling) => answers.test(sibling))) return true;
  const isFoot = (text: string): boolean => hint.test(text) || (foot !== undefined && pattern(foot).test(text));
  return siblings.length > 0 && texts.slice(at + 1).some(isFoot);
}

/** Whether a row is the option before or after the one with the given number, right above or below it. */
function isNumbered(text: string, column: number, number: number): boolean {
  const found = /^( *)(\d+)[.)] /.exec(text);
  if (found === null || Math.abs(Number(found[2]) - number) !== 1) return false;
  return Math.abs((found[1] ?? '').length - column) <= 1;
}

/** The row with the sides of a box and its scroll bar replaced by blanks. */
function unframed(text: string): string {
  return text
    .replace(/[│┃▌]/g, ' ')
    .replace(/[█▄▀]$/, '')
    .trimEnd();
}
