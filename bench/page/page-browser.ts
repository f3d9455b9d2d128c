import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext } from 'playwright-core';
import { authorization } from '#test/gateway/gateway-fixture.ts';
import { launchBrowser } from '#test/page/browser.ts';
import { listProcesses, treeOf } from '#world/process/process-tree.ts';
import { cpuOf, processesOf } from '../stage/cpu.ts';

/** A browser for a bench. */
export interface BenchBrowser {
  readonly browser: Browser;
  /** How many cores all of its processes use during some work. */
  cores(work: () => Promise<unknown>): Promise<number>;
}

/** Starts a separate browser, whose processes are found by a mark in the environment of the first. */
export async function benchBrowser(): Promise<BenchBrowser> {
  const word = randomUUID();
  const browser = await launchBrowser({ MUSTER_BENCH_PAGE: word });
  const pids = async (): Promise<number[]> => {
    const all = await listProcesses();
    const found = processesOf(/chrom/, word).flatMap((root) => treeOf(all, root));
    return [...new Set(found.map(({ pid }) => pid))];
  };
  return {
    browser,
    async cores(work) {
      const all = await pids();
      const [before, started] = [cpuOf(all), performance.now()];
      await work();
      return (cpuOf(all) - before) / (performance.now() - started);
    },
  };
}

/** A new profile that uses a token instead of signing in. */
export function letIn(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 1280, height: 900 }, extraHTTPHeaders: { authorization } });
}
