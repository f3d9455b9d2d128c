import type { Page } from 'playwright-core';

/**
 * Makes every tab begin as one that nobody looks at: without a window, a browser takes all of its tabs for looked at.
 */
export const startHidden =
  "Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });";

/** Makes a tab one that nobody looks at, or one that is looked at. */
export function look(page: Page, state: 'hidden' | 'visible'): Promise<unknown> {
  return page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
