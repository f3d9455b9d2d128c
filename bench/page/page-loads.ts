import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { median } from '../stage/sample.ts';
import { benchBrowser, letIn } from './page-browser.ts';
import { type PageFleet, pageFleet } from './page-fleet.ts';

const assets = fileURLToPath(new URL('../../dist/page/assets', import.meta.url));

/** How soon the page shows its first agent, and what it loads until then. */
export interface Loads {
  /** In a newly started browser without a profile, in milliseconds. */
  readonly coldMs: number;
  /** In a new profile of a running browser. */
  readonly newProfileMs: number;
  /** Again in the same profile. */
  readonly warmMs: number;
  readonly scriptBytes: number;
  readonly requests: number;
}

/** Loads the page of a small fleet repeatedly in each way, and returns medians. */
export async function measureLoads(size: number, times: number): Promise<Loads> {
  const fleet = await pageFleet(size);
  const [cold, fresh, warm]: number[][] = [[], [], []];
  let asked: ReadonlyMap<string, string> = new Map();
  try {
    for (let round = 0; round < times; round += 1) {
      const { browser } = await benchBrowser();
      try {
        cold?.push(await inNewProfile(browser, fleet, async () => undefined));
        fresh?.push(
          await inNewProfile(browser, fleet, async (page, requests) => {
            asked = requests;
            warm?.push(await shownAfter(page, () => page.reload({ waitUntil: 'commit' })));
          }),
        );
      } finally {
        await browser.close();
      }
    }
  } finally {
    await fleet.gateway.close();
  }
  const scripts = [...asked].filter(([, type]) => type === 'script');
  return {
    coldMs: median(cold ?? []),
    newProfileMs: median(fresh ?? []),
    warmMs: median(warm ?? []),
    scriptBytes: scripts.reduce((sum, [url]) => sum + gzipBytes(basename(new URL(url).pathname)), 0),
    requests: asked.size,
  };
}

/** Measures the first load in a new profile; `then` gets the page afterwards. */
async function inNewProfile(
  browser: Browser,
  { gateway }: PageFleet,
  then: (page: Page, requests: ReadonlyMap<string, string>) => Promise<unknown>,
): Promise<number> {
  const context: BrowserContext = await letIn(browser);
  try {
    const page = await context.newPage();
    const requests = new Map<string, string>();
    page.on('request', (request) => requests.set(request.url(), request.resourceType()));
    const took = await shownAfter(page, () => page.goto(gateway.url, { waitUntil: 'commit' }));
    await then(page, new Map(requests));
    return took;
  } finally {
    await context.close();
  }
}

/** The time from the start of the navigation until the first agent is in the document, by the page's own clock. */
async function shownAfter(page: Page, navigate: () => Promise<unknown>): Promise<number> {
  await page.addInitScript(`
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.roster-row')) return;
      observer.disconnect();
      window.shownAt = performance.now();
    }).observe(document, { subtree: true, childList: true });
  `);
  await navigate();
  await page.locator('.roster-row').first().waitFor();
  return page.evaluate<number>('window.shownAt');
}

function gzipBytes(name: string): number {
  const file = join(assets, `${name}.gz`);
  return existsSync(file) ? statSync(file).size : 0;
}
