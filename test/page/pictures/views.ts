import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Fleet } from './fleet.ts';
import { showFolders, shownFolders } from './folders.ts';
import { reduceColors } from './palette.ts';

/** Pictures by the name under which they are taken alone. */
export type Screens = Readonly<Record<string, (fleet: Fleet) => Promise<void>>>;

/** A browser as it is on a phone. */
export const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true } as const;

/** Takes a picture of what a page of a fleet shows, which is kept by a name. */
export function cameraIn(folder: string): (fleet: Fleet, page: Page, name: string) => Promise<void> {
  return async (fleet, page, name) => {
    await showFolders(page, shownFolders(fleet));
    const path = join(folder, `${name}.png`);
    await page.screenshot({ path });
    reduceColors(path);
  };
}
