import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { look, startHidden } from '#test/page/looking.ts';
import { quantile } from '../stage/sample.ts';
import { benchBrowser, letIn } from './page-browser.ts';
import { pageFleet } from './page-fleet.ts';

/** How long a person who searches for a tab looks at each of the others, in milliseconds. */
const glanceMs = 150;
const calls = 20;

/** How fast many tabs of one browser are, which share six connections to one gateway. In milliseconds. */
export interface Tabs {
  readonly tabs: number;
  /**
   * All tabs are opened together, as when a browser restores them: from the start of the last navigation until the
   * front tab is live.
   */
  readonly restoredMs: number;
  /** Then the person looks at each tab in turn: the time of a call in the last one. */
  readonly firstCallMs: number;
  /** The time of later calls in that tab. */
  readonly callP95Ms: number;
}

/** Opens tabs in one browser, and looks at each in turn. */
export async function measureTabs(tabs: number): Promise<Tabs> {
  const fleet = await pageFleet(100);
  const { browser } = await benchBrowser();
  const stop = fleet.startTransitions(20);
  try {
    const context = await letIn(browser);
    await context.addInitScript(startHidden);
    const pages = await openAll(context, tabs, fleet.gateway.url);
    const started = performance.now();
    const [first] = pages;
    if (first === undefined) throw new Error('no tab was asked for');
    await look(first, 'visible');
    await first.getByText('live', { exact: true }).waitFor();
    await first.locator('.roster-row').first().waitFor();
    const restoredMs = performance.now() - started;
    let seen = first;
    for (const page of pages) {
      await look(seen, 'hidden');
      await look(page, 'visible');
      await delay(glanceMs);
      seen = page;
    }
    const firstCallMs = await callMs(seen);
    const took: number[] = [];
    for (let call = 0; call < calls; call += 1) took.push(await callMs(seen));
    return { tabs, restoredMs, firstCallMs, callP95Ms: quantile(took, 0.95) };
  } finally {
    stop();
    await browser.close();
    await fleet.gateway.close();
  }
}

async function openAll(context: BrowserContext, tabs: number, url: string): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let at = 0; at < tabs; at += 1) pages.push(await context.newPage());
  await Promise.all(pages.map((page) => page.goto(url, { waitUntil: 'commit', timeout: 60_000 })));
  return pages;
}

/** The time that a page waits for the answer to a call. */
function callMs(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const asked = performance.now();
    await (await fetch('/session')).json();
    return performance.now() - asked;
  })()`);
}
