import type { Capture } from '#contract/pane/capture.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { cutRegions } from './region.ts';

/** Whether the composer holds text that was not submitted, whatever the CLI does meanwhile. */
export function holdsDraft({ layout }: HarnessScreens, capture: Capture): boolean {
  return cutRegions(layout, capture).ink === 'draft';
}

/** The text in the composer, with its rows joined; without a composer, the cursor's row up to the cursor. */
export function composedIn({ layout }: HarnessScreens, capture: Capture): string {
  const { rows } = cutRegions(layout, capture);
  const shown = rows.composer.length > 0 ? rows.composer : rows.typed;
  return shown
    .map(({ text }) => text)
    .join('')
    .trim();
}
