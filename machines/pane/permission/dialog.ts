import type { AskedChoice, ReadQuestion } from '#contract/approval/asked-question.ts';
import { Key } from '#contract/key.ts';

/** A dialog with numbered choices: its rows without the outer frame, and where its parts begin. */
export interface Dialog {
  /** From its head to the last row above its choices. */
  readonly body: readonly string[];
  readonly choices: readonly AskedChoice[];
  /** The row of the question, in `body`; -1 if there is none. */
  readonly question: number;
  /** How many columns a row may have before it is wrapped. */
  readonly room: number;
}

/** What a question is about. `whole` is false unless the shape of the dialog excludes that something else is asked. */
export type Subject = Pick<ReadQuestion, 'tool' | 'command' | 'path' | 'host' | 'whole'>;

/** A subject of which nothing more is known. */
export const unknownSubject: Subject = { tool: 'other', whole: false };

/** How near to the edge a row may end, in columns, before it may be wrapped or cut. */
const margin = 2;
const choice = /^ *(?:[❯›●>→] *)?(\d)\. (\S.*)$/u;
const blank = /^\s*$/;

/**
 * The dialog that begins at the first row and ends with numbered choices. Undefined unless these are 1, 2 and so on, in
 * one run: a cut list does not show what is asked.
 */
export function readDialog(rows: readonly string[], room: number): Dialog | undefined {
  const starts = rows.flatMap((row, at) => (choice.test(row) ? [{ at, number: numberIn(row) }] : []));
  const first = starts.findLastIndex(({ number }) => number === 1);
  const listed = first < 0 ? [] : starts.slice(first);
  const begin = listed[0]?.at ?? -1;
  if (begin < 1 || listed.length < 2 || listed.some(({ number }, place) => number !== place + 1)) return undefined;
  const end = listed.at(-1)?.at ?? begin;
  if (rows.slice(begin, end).some((row) => blank.test(row))) return undefined;
  const body = rows.slice(0, begin);
  const question = body.findLastIndex((row) => !blank.test(row));
  const choices = listed.map(({ at, number }, place) => {
    const more = rows.slice(at + 1, listed[place + 1]?.at ?? at + 1);
    const label = [rows[at]?.replace(choice, '$2') ?? '', ...more].map((row) => row.trim()).join(' ');
    return { label: label.slice(0, 500), keys: [Key.parse(String(number))] };
  });
  return { body, choices, question: /[?]$/.test(body[question]?.trim() ?? '') ? question : -1, room };
}

function numberIn(row: string): number {
  return Number(choice.exec(row)?.[1]);
}

/** The texts of rows that are not blank, trimmed. */
export function textsOf(rows: readonly string[]): readonly string[] {
  return rows.map((row) => row.trim()).filter((row) => row !== '');
}

/** Whether a text on a row is complete: it ends before the edge, and with no mark of a cut. */
export function isUncut(row: string, room: number): boolean {
  return row.trimEnd().length <= room - margin && !/…|\.\.\.$/u.test(row);
}

/** The rows of a box without its sides; undefined unless they all have both. */
export function inside(rows: readonly string[]): readonly string[] | undefined {
  const inner = rows.map((row) => /^ ?│ (.*?) *│ *[┃█▄▀]?$/u.exec(row)?.[1]);
  return inner.every((row) => row !== undefined) ? inner : undefined;
}

/** The only row in a box that begins at the first row and ends at the last; undefined if it has more or none. */
export function onlyBoxed(rows: readonly string[]): string | undefined {
  const [top, row, bottom, ...rest] = rows;
  if (rest.length > 0 || !/^╭─+╮$/u.test(top?.trim() ?? '') || !/^╰─+╯$/u.test(bottom?.trim() ?? '')) return undefined;
  return inside([row ?? ''])?.[0];
}
