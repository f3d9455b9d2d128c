import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Fleet } from './fleet.ts';
import { reduceColors } from './palette.ts';

/** Pictures by the name under which they are taken alone. */
export type Screens = Readonly<Record<string, (fleet: Fleet) => Promise<void>>>;

/** A browser as it is on a phone. */
export const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true } as const;

/** Where everything is in the pictures. */
export const shownHome = '/home/ada';

interface Places {
  readonly folder: string;
  readonly pieces: Pick<Fleet['pieces'], 'home'>;
}

const checkout = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** The folders of the computer that pictures are taken on, each with that which is shown instead. */
export function shownFolders({ folder, pieces }: Places): readonly [own: string, shown: string][] {
  return [
    [pieces.home, join(shownHome, '.local/state/muster')],
    [folder, shownHome],
    [checkout, join(shownHome, 'muster')],
  ];
}

/** Takes a picture of what a page of a fleet shows, which is kept by a name. */
export function cameraIn(folder: string): (fleet: Fleet, page: Page, name: string) => Promise<void> {
  return async (fleet, page, name) => {
    await showFolders(page, shownFolders(fleet));
    const path = join(folder, `${name}.png`);
    await page.screenshot({ path });
    reduceColors(path);
  };
}

/** Writes other folders into the texts and the fields of a page. */
export function showFolders(page: Page, folders: readonly (readonly [own: string, shown: string])[]): Promise<void> {
  return page.evaluate((pairs) => {
    const retold = (text: string) => pairs.reduce((told, [own, shown]) => told.replaceAll(own, shown), text);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const told = retold(text.nodeValue ?? '');
      if (told !== text.nodeValue) text.nodeValue = told;
    }
    for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      const told = retold(field.value);
      if (told !== field.value) field.value = told;
    }
  }, folders);
}
