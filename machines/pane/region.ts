import type { Capture } from '#contract/pane/capture.ts';
import type { RegionFact, ScreenLayout, ScreenRegion } from '#contract/pane/screen-rule.ts';
import { lastTurn, liveBlock, rowsInDoubt, sinceEnd } from './above.ts';
import { firstChoice, markOf } from './choice.ts';
import { type Composer, findComposer } from './composer.ts';
import { splitAtCursor } from './cursor.ts';
import { findForm } from './form.ts';
import { looksLike } from './look.ts';
import { findLookalike } from './lookalike.ts';
import { pattern } from './pattern.ts';
import { blankRow, cropRow, everyCell, isStyled, parseScreen, type Row, type Screen, styleAt } from './screen.ts';

/**
 * How long a pane must have printed nothing to count as silent, in milliseconds. A spinner that turns prints every 0.2
 * seconds even on a machine that is overloaded ten times.
 */
export const silentMs = 10_000;

/** A capture cut into the regions that rules refer to. */
export interface Regions {
  readonly rows: Readonly<Record<ScreenRegion, readonly Row[]>>;
  /** The question and choices of the live form: its rows with words, without a preview above. */
  readonly question: readonly Row[];
  /** What the composer holds; undefined if there is none. */
  readonly ink: Extract<RegionFact, 'blank' | 'ghost' | 'draft'> | undefined;
  /** Whether the capture has any attributes. */
  readonly styled: boolean;
}

/** Cuts a capture by the layout of its CLI. */
export function cutRegions(layout: ScreenLayout, capture: Capture): Regions {
  const { screen, above } = painted(parseScreen(capture.rows), layout.whole === true ? capture.height : 0);
  const { lowest, stale } = findComposer(screen.rows, layout);
  const composer = stale ? undefined : lowest;
  const tail = screen.rows.slice(lowest === undefined ? 0 : lowest.bottom + 1);
  const lookalike = composer === undefined ? findLookalike(tail, layout) : -1;
  const head = lookalike < 0 ? findForm(tail, layout) : -1;
  const cursor = splitAtCursor(screen.rows, capture, above);
  let unknown: readonly Row[] | undefined;
  const rows: Record<ScreenRegion, readonly Row[]> = {
    screen: screen.rows,
    live: composer === undefined ? [] : liveBlock(screen.rows, composer, layout),
    turn: composer === undefined ? [] : lastTurn(screen.rows, composer, layout),
    prompt: composer === undefined ? [] : [composer.prompt],
    composer: composer?.body ?? [],
    footer: composer === undefined ? [] : footerOf(tail, composer),
    since: composer === undefined ? [] : sinceEnd(screen.rows, composer, layout),
    // Most screens are decided before it is needed.
    get unknown() {
      unknown ??= composer === undefined ? [] : rowsInDoubt(screen.rows, composer, layout, this.footer);
      return unknown;
    },
    lookalike: lookalike < 0 ? [] : tail.slice(lookalike, lookalike + 1),
    form: head < 0 ? [] : tail.slice(head),
    tail,
    typed: [cursor.typed],
    beyond: cursor.beyond,
    title: [witness(capture.title)],
    status: [witness(capture.programStatus)],
    progress: [witness(capture.progress)],
    command: [witness(capture.command)],
    pane: [witness(paneIncarnation(capture))],
    input: [witness(awaited(capture))],
  };
  const ink = composer === undefined ? undefined : inkOf(screen, composer, layout);
  return { rows, question: questionRows(rows.form, layout), ink, styled: screen.styled };
}

/** The last `height` rows up to the lowest with text, or all rows for 0; `above` counts the rows left out. */
function painted(screen: Screen, height: number): { readonly screen: Screen; readonly above: number } {
  const above = height > 0 ? Math.max(0, screen.rows.length - height) : 0;
  if (above === 0) return { screen, above };
  const rows = screen.rows.slice(above);
  return { screen: { rows, styled: rows.some(isStyled) }, above };
}

/** The rows with words of a form, below the last horizontal rule or numbered row of code above its question. */
function questionRows(form: readonly Row[], layout: ScreenLayout): readonly Row[] {
  const texts = form.map((row) => row.text);
  const choice = firstChoice(texts, markOf(layout), 0, texts.length - 1);
  const question = texts.findLastIndex((text, at) => at < choice && hasWords(text));
  const preview = texts.findLastIndex(
    (text, at) => at < question && (isDivider(text) || /^[ │]*\d+(?: |$)/.test(text)),
  );
  return form.slice(preview + 1).filter((row) => hasWords(row.text));
}

/** Whether a row consists only of line characters, perhaps with the sides of a box. */
function isDivider(text: string): boolean {
  return /[─━▔╌]{3}/u.test(text) && !hasWords(text);
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function footerOf(tail: readonly Row[], composer: Composer): readonly Row[] {
  const columns = composer.columns;
  return columns === undefined ? tail : tail.map((row) => cropRow(row, 0, columns.to));
}

function inkOf(screen: Screen, composer: Composer, layout: ScreenLayout): NonNullable<Regions['ink']> {
  const text = composer.body
    .map((row) => row.text)
    .join('\n')
    .trim();
  if (text === '') return 'blank';
  const { looks, texts, plainTexts } = layout.ghost;
  const known = screen.styled ? texts : [...texts, ...plainTexts];
  if (known.some((source) => pattern(source).test(text))) return 'ghost';
  const body = composer.body.filter((row) => row.text.trim() !== '');
  const muted = body.every((row, index) =>
    everyCell(row, index === 0 ? afterCursor(row) : 0, row.text.length, (style) =>
      looks.some((look) => looksLike(style, look)),
    ),
  );
  return muted ? 'ghost' : 'draft';
}

/**
 * Where a row continues after the cursor that some CLIs paint on a placeholder's first letter: in reverse, underlined or
 * on a background of its own.
 */
function afterCursor(row: Row): number {
  const first = row.text.search(/\S/);
  const { reverse, underline, background } = styleAt(row, first);
  const isPainted = reverse || underline || background !== styleAt(row, first + 1).background;
  return isPainted && /\S/.test(row.text.slice(first + 1)) ? first + 1 : 0;
}

function paneIncarnation(capture: Capture): string {
  if (capture.dead) return 'dead';
  if (capture.inMode) return 'mode';
  return (capture.silentMs ?? 0) >= silentMs ? 'live silent' : 'live';
}

/** Whether the foreground program waits for a line of input, if that is known. */
function awaited({ awaitsLine }: Capture): string {
  if (awaitsLine === undefined) return '';
  return awaitsLine ? 'line' : 'none';
}

function witness(text: string): Row {
  return text.trim() === '' ? blankRow : { text: text.trim(), runs: [] };
}
