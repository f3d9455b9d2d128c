import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { isSoak } from '#test/support/soak.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The colour schemes that axe checks: in the suite only dark, because the tests of phones use light. */
export const colorSchemes: readonly ('light' | 'dark')[] = isSoak ? ['light', 'dark'] : ['dark'];

/** The violations that axe finds on a page, each as `rule: where`, including best practices. */
export async function faultsFoundByAxe(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
