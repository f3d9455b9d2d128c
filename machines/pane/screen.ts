import { applySgr, plain, type Style } from './style.ts';

/** A run of cells in one style; `from` and `to` are offsets in UTF-16 units of the row's text. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly style: Style;
}

/** One row: its text without escapes and trailing blanks, and its styles. Text outside every run is plain. */
export interface Row {
  readonly text: string;
  readonly runs: readonly Run[];
}

/** A screen as rows, without the blank rows at its bottom. */
export interface Screen {
  readonly rows: readonly Row[];
  /** Whether any cell has an attribute. If not, looks are not considered. */
  readonly styled: boolean;
}

/** A row without any text. */
export const blankRow: Row = { text: '', runs: [] };

/** Parses rows with escape sequences. A style continues into the next row, as tmux writes it. */
export function parseScreen(source: readonly string[]): Screen {
  let style = plain;
  let styled = false;
  const rows: Row[] = [];
  for (const line of source) {
    const parsed = knownRow(line, style);
    style = parsed.style;
    styled ||= isStyled(parsed.row);
    rows.push(parsed.row);
  }
  while (rows.length > 0 && rows.at(-1)?.text === '') rows.pop();
  return { rows, styled };
}

/** Whether a row shows that its screen is styled. Underlining does not count: CLIs without colours use it too. */
export function isStyled({ runs }: Row): boolean {
  return runs.some(
    ({ style }) =>
      style !== plain && Object.entries(style).some(([name, value]) => name !== 'underline' && Boolean(value)),
  );
}

/** The style at the end of rows, with which the next row begins. */
export function styleAfter(source: readonly string[]): Style {
  return source.reduce((style, line) => parseRow(line, style).style, plain);
}

/** The part of a row between two UTF-16 offsets, with trailing blanks cut. */
export function cropRow(row: Row, from: number, to = row.text.length): Row {
  const text = row.text.slice(from, to).trimEnd();
  const end = from + text.length;
  const runs = row.runs
    .filter((run) => run.from < end && run.to > from)
    .map((run) => ({ ...run, from: Math.max(run.from, from) - from, to: Math.min(run.to, end) - from }));
  return { text, runs };
}

/** Whether every cell in a range that is not blank passes the test; false for a blank range. */
export function everyCell(row: Row, from: number, to: number, test: (style: Style) => boolean): boolean {
  let seen = false;
  for (let at = from; at < to; at += 1) {
    if (row.text[at] === ' ') continue;
    seen = true;
    if (!test(styleAt(row, at))) return false;
  }
  return seen;
}

/** The style of the cell at a UTF-16 offset. */
export function styleAt(row: Row, at: number): Style {
  return row.runs.find((run) => at >= run.from && at < run.to)?.style ?? plain;
}

/** How much of a row is read, in UTF-16 units, to bound the time of regular expressions. */
const longestRow = 1_000;

const esc = '\u001b';
const bell = '\u0007';
const control = `${esc}\\[([0-9;:<=>?]*)[ -/]*([@-~])`;
const string = `${esc}[\\]PX^_][^${bell}${esc}]*(?:${bell}|${esc}\\\\)?`;
const sequence = new RegExp(`${control}|${string}|${esc}[ -/]*[0-~]`, 'g');

/** Size of each of the two generations of cached rows. */
const maxKnown = 4_000;
let known = new Map<string, ParsedRow>();
let knownBefore = new Map<string, ParsedRow>();

/** As `parseRow`, with a cache, because most rows of a screen are unchanged. */
function knownRow(line: string, start: Style): ParsedRow {
  const key = start === plain ? line : `\n${Object.values(start).join('/')}/${line}`;
  const found = known.get(key) ?? knownBefore.get(key) ?? parseRow(line, start);
  if (known.size >= maxKnown) {
    knownBefore = known;
    known = new Map();
  }
  known.set(key, found);
  return found;
}

/** A row, and the style at its end. */
interface ParsedRow {
  readonly row: Row;
  readonly style: Style;
}

function parseRow(line: string, start: Style): ParsedRow {
  let style = start;
  let text = '';
  let done = 0;
  const runs: Run[] = [];
  const take = (piece: string): void => {
    const from = text.length;
    text += piece.replaceAll('\u00a0', ' ').replace(/[\p{Cc}\u200b]/gu, '');
    if (text.length > from && style !== plain) runs.push({ from, to: text.length, style });
  };
  for (const found of line.matchAll(sequence)) {
    take(line.slice(done, found.index));
    done = found.index + found[0].length;
    if (found[2] === 'm') style = normal(applySgr(style, found[1] ?? ''));
  }
  take(line.slice(done));
  return { row: cropRow({ text, runs }, 0, longestRow), style };
}

/** Replaces a plain style by the object `plain`, so that plain text needs no run. */
function normal(style: Style): Style {
  return Object.values(style).some(Boolean) ? style : plain;
}
