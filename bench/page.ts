import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { authorization } from '#test/gateway/gateway-fixture.ts';
import { launchBrowser } from '#test/page/browser.ts';
import { setStage } from '#test/page/stage.ts';
import { listProcesses, treeOf } from '#world/process-tree.ts';
import { cpuOf, processesOf } from './cpu.ts';
import { type PageFleet, pageFleet } from './page-fleet.ts';
import { report } from './report.ts';
import { median, ms, quantile } from './sample.ts';

const usualSize = 10_000;
const movesPerSecond = 100;
const loads = 7;
const moves = 40;
const watchMs = 15_000;
const scrollMs = 10_000;
const assets = fileURLToPath(new URL('../dist/page/assets', import.meta.url));

/** How fast the page is there, how late it shows a move, and what a large fleet costs the browser. */
export async function benchPage(_homes: unknown, [size = usualSize]: readonly number[]): Promise<void> {
  const small = await measureLoads(20);
  const latencies = await measureMoves();
  const large = await measureLarge(size);
  report(
    'the page',
    `Medians of ${loads} loads without a cache; ${moves} moves of a real agent; ${size} agents with ${movesPerSecond} moves a ` +
      `second for ${watchMs / 1000} s, then scrolled through for ${scrollMs / 1000} s.`,
    ['what', 'measured', 'wanted'],
    [
      ['page load to the first agent', ms(small.loadMs), '< 1500 ms'],
      ['script, gzip', `${(small.scriptBytes / 1024).toFixed(0)} KB`, '< 300 KB'],
      ['a move decided to shown, median', ms(median(latencies)), ''],
      ['a move decided to shown, p95', ms(quantile(latencies, 0.95)), '<= 500 ms'],
      [`load of ${size} agents, to the last`, ms(large.loadMs), ''],
      ['CPU of the browser', `${large.cores.toFixed(2)} cores`, '< 0.5 cores'],
      ['CPU of the browser, scrolled', `${large.scrollCores.toFixed(2)} cores`, ''],
      ['longest frame, scrolled', ms(large.longestFrameMs), '<= 100 ms'],
      ['frames a second, scrolled', large.framesPerSecond.toFixed(0), ''],
    ],
  );
}

/** The processes of a browser as they are now. */
type Pids = () => Promise<number[]>;

/** A browser of its own, and its processes: the first one carries a word in its environment by which it is found. */
async function launch(): Promise<{ readonly browser: Browser; readonly pids: Pids }> {
  const word = randomUUID();
  const browser = await launchBrowser({ MUSTER_BENCH_PAGE: word });
  const pids = async (): Promise<number[]> => {
    const all = await listProcesses();
    const found = processesOf(/chrom/, word).flatMap((root) => treeOf(all, root));
    return [...new Set(found.map(({ pid }) => pid))];
  };
  return { browser, pids };
}

/** Whoever is let in by a token has no need to sign in. */
function contextOf(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 1280, height: 900 }, extraHTTPHeaders: { authorization } });
}

async function measureLoads(size: number): Promise<{ readonly loadMs: number; readonly scriptBytes: number }> {
  const fleet = await pageFleet(size);
  const { browser } = await launch();
  const took: number[] = [];
  let scriptBytes = 0;
  try {
    for (let round = 0; round <= loads; round += 1) {
      const context = await contextOf(browser);
      const page = await context.newPage();
      const scripts = new Set<string>();
      page.on('request', (request) => {
        if (request.resourceType() === 'script') scripts.add(basename(new URL(request.url()).pathname));
      });
      await page.goto(fleet.gateway.url, { waitUntil: 'commit' });
      await page.locator('.roster-row').first().waitFor();
      if (round > 0) took.push(await page.evaluate<number>('performance.now()'));
      scriptBytes = [...scripts].reduce((sum, name) => sum + gzipBytes(name), 0);
      await context.close();
    }
  } finally {
    await browser.close();
    await fleet.gateway.close();
  }
  return { loadMs: median(took), scriptBytes };
}

function gzipBytes(name: string): number {
  const file = join(assets, `${name}.gz`);
  return existsSync(file) ? statSync(file).size : 0;
}

/** How long after a move was decided, by the time on the agent's row, the page shows it. */
async function measureMoves(): Promise<readonly number[]> {
  const stage = await setStage();
  try {
    const agentId = await stage.launch('bench', 'work');
    await stage.until(agentId, 'THINKING');
    const page = await stage.open();
    await page.locator('.roster-row').waitFor();
    await page.evaluate(`
      window.seen = {};
      new MutationObserver(() => {
        const state = document.querySelector('.roster-row')?.dataset.kind;
        if (state) window.seen[state] ??= Date.now();
      }).observe(document.querySelector('.roster-list'), { subtree: true, childList: true, attributes: true });
    `);
    const latencies: number[] = [];
    for (let move = 0; move < moves; move += 1) {
      const [kind, state] = move % 2 === 0 ? ['idle', 'IDLE'] : ['thinking', 'THINKING'];
      await page.evaluate('window.seen = {}');
      if (state === 'IDLE') await stage.call('InterruptAgent', { agentId });
      else await stage.call('PromptAgent', { agentId, prompt: 'work' });
      await stage.until(agentId, state ?? '');
      await page.locator(`.roster-row[data-kind="${kind}"]`).waitFor();
      const shown = await page.evaluate<number>(`window.seen[${JSON.stringify(kind)}]`);
      const { agent } = await stage.call<{ agent: { agent: { stateChangedAt: string } } }>('GetAgent', { agentId });
      latencies.push(shown - Date.parse(agent.agent.stateChangedAt));
    }
    return latencies;
  } finally {
    await stage.stop();
  }
}

interface Large {
  readonly loadMs: number;
  readonly cores: number;
  readonly scrollCores: number;
  readonly longestFrameMs: number;
  readonly framesPerSecond: number;
}

async function measureLarge(size: number): Promise<Large> {
  const fleet = await pageFleet(size);
  const { browser, pids } = await launch();
  try {
    const page = await (await contextOf(browser)).newPage();
    const started = performance.now();
    await page.goto(fleet.gateway.url, { waitUntil: 'commit' });
    await page.locator(`[role=treegrid][aria-rowcount="${size + 1}"]`).waitFor({ timeout: 60_000 });
    const loadMs = performance.now() - started;
    return { loadMs, ...(await underMoves(fleet, page, pids)) };
  } finally {
    await browser.close();
    await fleet.gateway.close();
  }
}

async function underMoves(fleet: PageFleet, page: Page, pids: Pids): Promise<Omit<Large, 'loadMs'>> {
  const rest = fleet.move(movesPerSecond);
  try {
    await delay(2_000);
    const cores = await coresDuring(pids, () => delay(watchMs));
    await page.evaluate(`
      window.frames = [];
      const tick = (at) => { window.frames.push(at); requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
    `);
    const scrollCores = await coresDuring(pids, () => scrollThrough(page));
    const frames = await page.evaluate<number[]>('window.frames');
    const gaps = frames.slice(1).map((at, before) => at - (frames[before] ?? at));
    return {
      cores,
      scrollCores,
      longestFrameMs: Math.max(...gaps),
      framesPerSecond: (frames.length / ((frames.at(-1) ?? 0) - (frames[0] ?? 0))) * 1_000,
    };
  } finally {
    rest();
  }
}

async function scrollThrough(page: Page): Promise<void> {
  await page.mouse.move(400, 500);
  const until = performance.now() + scrollMs;
  while (performance.now() < until) {
    await page.mouse.wheel(0, 240);
    await delay(40);
  }
}

async function coresDuring(pids: Pids, work: () => Promise<unknown>): Promise<number> {
  const all = await pids();
  const [before, started] = [cpuOf(all), performance.now()];
  await work();
  return (cpuOf(all) - before) / (performance.now() - started);
}
