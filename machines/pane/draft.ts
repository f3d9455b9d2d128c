import type { Capture } from '#contract/pane/capture.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { cutRegions } from './region.ts';

/** Whether a text that was not sent is in the composer, whatever the CLI is doing meanwhile. */
export function holdsDraft({ layout }: HarnessScreens, capture: Capture): boolean {
  return cutRegions(layout, capture).ink === 'draft';
}

/** What is in the composer, its rows put together; if there is none, the row of the cursor up to it. */
export function composedIn({ layout }: HarnessScreens, capture: Capture): string {
  const { rows } = cutRegions(layout, capture);
  const shown = rows.composer.length > 0 ? rows.composer : rows.typed;
  return shown
    .map(({ text }) => text)
    .join('')
    .trim();
}
