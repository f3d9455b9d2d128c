import type { ScreenLayout } from '#contract/pane/screen-rule.ts';
import type { Composer } from './composer.ts';
import { pattern } from './pattern.ts';
import type { Row } from './screen.ts';

/**
 * The rows right above a composer, down from the first one that the layout's live block does not run through, and the
 * top of its frame if a status stands in it.
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
  const isStatus = top.startsWith('─') && /\p{L}/u.test(top) && through.test(top);
  return rows.slice(first, isStatus ? composer.top + 1 : composer.top);
}

/** The rows above a composer from the last prompt that was sent on; none if no prompt is on the screen. */
export function lastTurn(rows: readonly Row[], { top }: Composer, { echo }: ScreenLayout): readonly Row[] {
  if (echo === undefined) return [];
  const above = rows.slice(0, top);
  const first = above.findLastIndex((row) => pattern(echo).test(row.text));
  return first < 0 ? [] : above.slice(first);
}

/** The rows between the last known end of a turn and a composer that the layout does not understand. */
export function unknownRows(rows: readonly Row[], composer: Composer, layout: ScreenLayout): readonly Row[] {
  const { known, echo } = layout;
  if (known === undefined) return [];
  const bounds = echo === undefined ? known.ends : [...known.ends, echo];
  const isBound = ({ text }: Row): boolean => bounds.some((source) => pattern(source).test(text));
  const above = rows.slice(0, composer.top);
  const bound = above.findLastIndex(isBound);
  const since = bound < 0 ? liveBlock(rows, composer, layout) : above.slice(bound + 1);
  return since.filter(({ text }) => text !== '' && !known.rows.some((source) => pattern(source).test(text)));
}
