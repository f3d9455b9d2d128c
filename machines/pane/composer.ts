import type { ComposerShape, ScreenLayout } from '#contract/pane/screen-rule.ts';
import { pattern } from './pattern.ts';
import { blankRow, cropRow, type Row } from './screen.ts';

/**
 * A composer, the field where a person types a prompt, and what it holds. Row numbers are zero-based; `bottom` is its
 * last row, including the frame.
 */
export interface Composer {
  readonly top: number;
  readonly bottom: number;
  readonly prompt: Row;
  readonly body: readonly Row[];
  /** The columns of a composer that does not span the whole width. */
  readonly columns?: { readonly from: number; readonly to: number };
}

/** The lowest composer on the screen, and whether rows below show that it is outdated. */
export interface ComposerSearch {
  readonly lowest: Composer | undefined;
  readonly stale: boolean;
}

/** Finds the composer by every shape that the layout defines. */
export function findComposer(rows: readonly Row[], layout: ScreenLayout): ComposerSearch {
  let lowest: Composer | undefined;
  for (const shape of layout.composers) {
    const found = findShape(rows, shape, layout);
    if (found !== undefined && (lowest === undefined || found.bottom > lowest.bottom)) lowest = found;
  }
  if (lowest === undefined) return { lowest, stale: false };
  const below = rows.slice(lowest.bottom + 1);
  const isOld = layout.composers.some((shape) => shape.kind === 'open' && below.some((row) => isReplaced(row, shape)));
  return { lowest, stale: isOld || isOvertaken(below, layout) };
}

/** Whether rows below a composer or a form show that the CLI has continued since. */
export function isOvertaken(below: readonly Row[], layout: ScreenLayout): boolean {
  const signs = [layout.transcript, layout.stale].filter((sign) => sign !== undefined);
  return below.some((row) => signs.some((sign) => pattern(sign).test(row.text)));
}

function findShape(rows: readonly Row[], shape: ComposerShape, layout: ScreenLayout): Composer | undefined {
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const found = shapeAt(rows, at, shape, layout);
    if (found !== undefined) return found;
  }
  return undefined;
}

function shapeAt(rows: readonly Row[], at: number, shape: ComposerShape, layout: ScreenLayout): Composer | undefined {
  if (shape.kind === 'framed') return framedAt(rows, at, shape);
  if (shape.kind === 'barred') return barredAt(rows, at, shape);
  if (shape.kind === 'open') return openAt(rows, at, shape, layout);
  return seatedAt(rows, at, shape);
}

type Shape<Kind extends ComposerShape['kind']> = Extract<ComposerShape, { kind: Kind }>;

function framedAt(rows: readonly Row[], at: number, shape: Shape<'framed'>): Composer | undefined {
  if (!matches(rows[at], shape.prompt) || !matches(rows[at - 1], shape.top)) return undefined;
  const bottom = shape.bottom;
  if (bottom === undefined) {
    if (!rows.slice(at + 1).every((row) => matches(row, shape.more))) return undefined;
    return { ...bodyOf(rows, at, at, shape.prompt), top: at - 1, bottom: at };
  }
  const last = rows.findIndex((row, index) => index > at && (matches(row, bottom) || !matches(row, shape.more)));
  if (last < 0 || !matches(rows[last], bottom)) return undefined;
  return { ...bodyOf(rows, at, last - 1, shape.prompt), top: at - 1, bottom: last };
}

function openAt(rows: readonly Row[], at: number, shape: Shape<'open'>, layout: ScreenLayout): Composer | undefined {
  if (!matches(rows[at], shape.prompt)) return undefined;
  const footer = shape.footer;
  const below = rows.slice(at + 1);
  if (footer !== undefined && !below.some((row) => matches(row, footer))) return undefined;
  const last = endOfOpen(rows, at, shape, layout);
  return { ...bodyOf(rows, at, last, shape.prompt), top: at, bottom: last };
}

/**
 * The last row of a composer without a frame. A draft may contain blank rows and continue below them, except for the
 * last block of the screen, which is the footer. If the CLI has continued since, it ends at the first blank row.
 */
function endOfOpen(rows: readonly Row[], at: number, shape: Shape<'open'>, layout: ScreenLayout): number {
  const { more } = shape;
  const ends: number[] = [];
  let row = at + 1;
  while (row < rows.length && (rows[row]?.text === '' || matches(rows[row], more))) {
    if (isReplaced(rows[row], shape)) return row - 1;
    if (rows[row]?.text === '' && rows[row - 1]?.text !== '') ends.push(row - 1);
    row += 1;
  }
  const first = ends[0] ?? row - 1;
  if (isOvertaken(rows.slice(row), layout)) return first;
  if (row < rows.length) return rows[row - 1]?.text === '' ? (ends.at(-1) ?? first) : row - 1;
  return ends.at(-1) ?? first;
}

/** Whether a row below a composer without a frame shows that something has replaced it. */
function isReplaced(row: Row | undefined, { left }: Shape<'open'>): boolean {
  return left !== undefined && matches(row, left);
}

function bodyOf(rows: readonly Row[], at: number, last: number, prompt: string): Pick<Composer, 'prompt' | 'body'> {
  const row = rows[at] ?? blankRow;
  const glyph = pattern(prompt).exec(row.text)?.[0].length ?? 0;
  const more = rows.slice(at + 1, last + 1).map((each) => inside(each, /^ *│/.exec(each.text)?.[0].length ?? 0));
  return { prompt: row, body: [inside(row, glyph), ...more] };
}

/** A row from a column on, without the right side of a box. */
function inside(row: Row, from: number): Row {
  return cropRow(row, from, row.text.replace(/ *│$/, '').length);
}

function barredAt(rows: readonly Row[], at: number, shape: Shape<'barred'>): Composer | undefined {
  const close = pattern(shape.bottom).exec(rows[at]?.text ?? '');
  if (close === null) return undefined;
  const from = close[1]?.length ?? 0;
  const columns = { from, to: close[0].length };
  const inside = (row: number): Row => cropRow(rows[row] ?? blankRow, from, columns.to);
  let top = at;
  while (top > 0 && matches(inside(top - 1), shape.bar)) top -= 1;
  if (top === at) return undefined;
  const boxed = Array.from({ length: at - top }, (_, offset) => inside(top + offset));
  const body = boxed.slice(0, baseAt(boxed, shape));
  const bar = (row: Row): number => pattern(shape.bar).exec(row.text)?.[0].length ?? 0;
  return {
    top,
    bottom: at,
    columns,
    prompt: body[0] ?? blankRow,
    body: body.map((row) => cropRow(row, bar(row))),
  };
}

/** Where the row of a barred composer that is no text begins: in a narrow pane it is wrapped, below its own columns. */
function baseAt(boxed: readonly Row[], { bar, base }: Shape<'barred'>): number {
  const textOf = (at: number): string => (boxed[at]?.text ?? '').replace(pattern(bar), '');
  let at = boxed.length - 1;
  while (at > 0 && /^ +\S/u.test(textOf(at))) at -= 1;
  const isWrapped = at < boxed.length - 1;
  if (isWrapped && (at === 0 || textOf(at - 1) !== '' || textOf(at) === '')) at = boxed.length - 1;
  return matches(boxed[at], base) ? at : boxed.length;
}

function seatedAt(rows: readonly Row[], at: number, shape: Shape<'seated'>): Composer | undefined {
  if (at < 2 || !matches(rows[at], shape.bottom)) return undefined;
  let top = at - 2;
  while (top > 0 && rows[top]?.text !== '' && rows[top - 1]?.text !== '') top -= 1;
  const body = rows.slice(top, at - 1);
  return { top, bottom: at - 1, prompt: body[0] ?? blankRow, body };
}

function matches(row: Row | undefined, source: string): boolean {
  return row !== undefined && pattern(source).test(row.text);
}
