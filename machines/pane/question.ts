import type { Capture } from '#contract/pane/capture.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { cutRegions } from './region.ts';
import type { Row } from './screen.ts';

/** An elapsed time, as CLIs count it up next to a question. */
const duration = /\b\d+(?:\.\d+)?(?:ms|s|m|h)\b/g;

/**
 * What distinguishes one question from another, as data that can be compared: the selection itself, cell for cell, so
 * that the choice that is marked counts; and of what is above it the letters and digits, because bullets blink and
 * seconds are counted there. A screen without a selection is compared whole.
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
