import type { Page } from 'playwright-core';

/**
 * Makes every tab start hidden: without a window, a browser treats all of its tabs as visible.
 */
export const startHidden =
  "Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });";

/** Hides or shows a tab. */
export function look(page: Page, state: 'hidden' | 'visible'): Promise<unknown> {
  return page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
