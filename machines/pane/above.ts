import type { ScreenLayout } from '#contract/pane/screen-rule.ts';
import type { Composer } from './composer.ts';
import { isAnnouncement } from './doubt/announcement.ts';
import { isChosen, isChosenBelow, mayBeChosen } from './doubt/chosen-row.ts';
import { isInAnswer, offersChoice, partShowsWork, placeholderShowsWork, reach, showsWork } from './doubt/work-row.ts';
import { pattern } from './pattern.ts';
import { cropRow, type Row } from './screen.ts';

/**
 * The live block: the rows right above a composer that the layout's `live` matches, and the top of the composer's frame
 * if it contains a status.
 */
export function liveBlock(rows: readonly Row[], composer: Composer, layout: ScreenLayout): readonly Row[] {
  if (layout.live === undefined) return [];
  const through = pattern(layout.live);
  let first = composer.top;
  while (first > 0) {
    first -= 1;
    if (!through.test(rows[first]?.text ?? '')) break;
  }
  const top = rows[composer.top]?.text ?? '';
  const isStatus = top.startsWith('─') && /[^─\s]/u.test(top) && through.test(top);
  return rows.slice(first, isStatus ? composer.top + 1 : composer.top);
}

/** The rows above a composer since the last submitted prompt; none if no prompt is on the screen. */
export function lastTurn(rows: readonly Row[], { top }: Composer, { echo }: ScreenLayout): readonly Row[] {
  if (echo === undefined) return [];
  const above = rows.slice(0, top);
  const first = above.findLastIndex((row) => pattern(echo).test(row.text));
  return first < 0 ? [] : above.slice(first);
}

/** The rows between the last known end of a turn, or the last submitted prompt, and the composer. */
export function sinceEnd(rows: readonly Row[], composer: Composer, layout: ScreenLayout): readonly Row[] {
  const since = rows.slice(lastBound(rows, composer, layout) + 1, composer.top);
  const { columns } = composer;
  // Further to the right is a sidebar.
  return columns === undefined ? since : since.map((row) => cropRow(row, 0, columns.to));
}

/** The rows above, in and below a composer that make an empty one no proof of rest. */
export function rowsInDoubt(
  rows: readonly Row[],
  composer: Composer,
  layout: ScreenLayout,
  footer: readonly Row[],
): readonly Row[] {
  const { top, bottom, body } = composer;
  const frame = [top, bottom].flatMap((at) =>
    /^ *[─━═▀▄╭╰┌└]/u.test(rows[at]?.text ?? '') ? rows.slice(at, at + 1) : [],
  );
  return [
    ...unknownRows(rows, composer, layout),
    ...frame.filter(({ text }) => partShowsWork(text)),
    ...body.filter(({ text }) => placeholderShowsWork(text)),
    ...footer.filter(({ text }, at) => partShowsWork(text) || offersChoice(text) || isChosenBelow(footer, at, layout)),
  ];
}

/**
 * The rows between the last known end of a turn and a composer that the layout does not understand, and near the composer
 * those that look like work, however far they are indented.
 */
function unknownRows(rows: readonly Row[], composer: Composer, layout: ScreenLayout): readonly Row[] {
  const { known, transcript } = layout;
  const since = sinceEnd(rows, composer, layout);
  const live = lastBound(rows, composer, layout) >= 0 ? since : liveBlock(rows, composer, layout);
  const texts = since.map(({ text }) => text);
  const own = known?.signs === undefined ? undefined : pattern(`^(?:${known.signs})`);
  const isKnown = (text: string): boolean => known?.rows.some((source) => pattern(source).test(text)) !== false;
  const unnamed = live.filter(({ text }) => text !== '' && !isKnown(text));
  const near = Math.max(0, since.length - reach);
  const above = rows.slice(0, composer.top - since.length);
  const doubted = since.filter((row, at) => {
    if (unnamed.includes(row)) return false;
    const isSaid = transcript !== undefined && texts.slice(at + 1).some((text) => pattern(transcript).test(text));
    if (at >= near && (isChosen(since, at) || showsWork(texts, at, own, isSaid))) return true;
    const isAnnounced = known !== undefined && !isSaid && isAnnouncement(since, at, above, layout);
    return (isAnnounced || (at >= near && mayBeChosen(since, at))) && !isInAnswer(texts, at, own);
  });
  return [...unnamed, ...doubted];
}

/** The index of the last row above a composer that ends a turn or shows a submitted prompt; -1 if there is none. */
function lastBound(rows: readonly Row[], { top }: Composer, { known, echo }: ScreenLayout): number {
  const bounds = [...(known?.ends ?? []), ...(echo === undefined ? [] : [echo])];
  return rows.slice(0, top).findLastIndex(({ text }) => bounds.some((source) => pattern(source).test(text)));
}
