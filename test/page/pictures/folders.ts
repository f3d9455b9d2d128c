import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Where everything is in the pictures. */
export const shownHome = '/home/ada';

interface Places {
  /** Where its repositories are. */
  readonly folder: string;
  /** Where it keeps its state. */
  readonly pieces: { readonly home: string };
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
