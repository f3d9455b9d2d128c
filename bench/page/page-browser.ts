import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext } from 'playwright-core';
import { authorization } from '#test/gateway/gateway-fixture.ts';
import { launchBrowser } from '#test/page/browser.ts';
import { listProcesses, treeOf } from '#world/process/process-tree.ts';
import { cpuOf, processesOf } from '../stage/cpu.ts';

/** A browser for a bench. */
export interface BenchBrowser {
  readonly browser: Browser;
  /** How many cores all of its processes take while a piece of work is done. */
  cores(work: () => Promise<unknown>): Promise<number>;
}

/** Starts its own browser; its first process carries a word in its environment by which all of them are found. */
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

/** A separate profile, let in by a token without signing in. */
export function letIn(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 1280, height: 900 }, extraHTTPHeaders: { authorization } });
}
