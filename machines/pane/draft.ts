import type { Capture } from '#contract/capture.ts';
import type { HarnessScreens } from '#contract/screen-rule.ts';
import { cutRegions } from './region.ts';

/** Whether a text that was not sent stands in the composer, whatever the CLI is doing meanwhile. */
export function holdsDraft({ layout }: HarnessScreens, capture: Capture): boolean {
  return cutRegions(layout, capture).ink === 'draft';
}
