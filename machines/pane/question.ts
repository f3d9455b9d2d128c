import type { Capture } from '#contract/pane/capture.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { cutRegions } from './region.ts';
import type { Row } from './screen.ts';

/** An elapsed time, which some CLIs count next to a question. */
const duration = /\b\d+(?:\.\d+)?(?:ms|s|m|h)\b/g;

/**
 * What distinguishes questions, as comparable data: the selection cell by cell, so that the marked choice counts, and
 * the letters and digits above it without elapsed times, because bullets blink and seconds are counted there. A screen
 * without a selection is compared as a whole.
 */
export function questionOf({ layout }: HarnessScreens, capture: Capture): unknown {
  const { screen, form } = cutRegions(layout, capture).rows;
  if (form.length === 0) return [capture.rows, capture.cursor];
  const above = screen.slice(0, screen.length - form.length);
  return [form, above.map(said).filter((text) => text !== '')];
}

function said({ text }: Row): string {
  return text
    .replace(duration, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
