import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { isSoak } from '#test/support/soak.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The colour schemes that axe checks: in the suite only dark, because the tests of phones use light. */
export const colorSchemes: readonly ('light' | 'dark')[] = isSoak ? ['light', 'dark'] : ['dark'];

/** The screen of a phone, in pixels. */
const phone = { width: 390, height: 780 };

/**
 * What axe finds in each colour scheme and on a phone, each with the look, and a page that is wider than a phone. The
 * page keeps its size.
 */
export async function faultsInEachLook(page: Page): Promise<string[]> {
  const found: string[] = [];
  const look = async (name: string) =>
    found.push(...(await faultsFoundByAxe(page)).map((fault) => `${name}: ${fault}`));
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme });
    await look(colorScheme);
  }
  const size = page.viewportSize();
  await page.setViewportSize(phone);
  await look('phone');
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (width !== phone.width) found.push(`phone: the page is ${width} pixels wide`);
  if (size !== null) await page.setViewportSize(size);
  return found;
}

/** The violations that axe finds on a page, each as `rule: where`, including best practices. */
export async function faultsFoundByAxe(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
