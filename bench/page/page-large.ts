import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { quantile } from '../stage/sample.ts';
import { type BenchBrowser, benchBrowser, letIn } from './page-browser.ts';
import { type PageFleet, pageFleet } from './page-fleet.ts';
import { type Tasks, tasksDuring } from './page-tasks.ts';

const watchMs = 15_000;
const scrollMs = 10_000;
/** The number and the rate per second of the transitions after which the page's memory is measured. */
const memoryTransitions = 100_000;
const memoryPerSecond = 4_000;

/** What a large, busy fleet costs the browser. */
export interface Large {
  readonly loadMs: number;
  readonly cores: number;
  readonly scrollCores: number;
  readonly frames: Frames;
  readonly tasks: Tasks;
  /** The used heap before and after `transitions`, in bytes, after a garbage collection. */
  readonly heapBefore: number;
  readonly heapAfter: number;
  readonly transitions: number;
}

/** Frames during a measurement. */
interface Frames {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** How many of the `count` frames took at least one and a half times as long as usual. */
  readonly dropped: number;
  readonly count: number;
}

/**
 * Loads a simulated fleet, scrolls through it while its agents change state, and then measures memory over as many
 * transitions as in an hour.
 */
export async function measureLarge(size: number, transitionsPerSecond: number): Promise<Large> {
  const fleet = await pageFleet(size);
  const bench = await benchBrowser();
  try {
    const page = await (await letIn(bench.browser)).newPage();
    const started = performance.now();
    await page.goto(fleet.gateway.url, { waitUntil: 'commit' });
    await page.locator(`[role=treegrid][aria-rowcount="${size + 1}"]`).waitFor({ timeout: 60_000 });
    const loadMs = performance.now() - started;
    return {
      loadMs,
      ...(await underTransitions(fleet, page, bench, transitionsPerSecond)),
      ...(await memoryOf(fleet, page)),
    };
  } finally {
    await bench.browser.close();
    await fleet.gateway.close();
  }
}

type UnderTransitions = Pick<Large, 'cores' | 'scrollCores' | 'frames' | 'tasks'>;

async function underTransitions(
  fleet: PageFleet,
  page: Page,
  { cores }: BenchBrowser,
  perSecond: number,
): Promise<UnderTransitions> {
  const stop = fleet.startTransitions(perSecond);
  try {
    await delay(2_000);
    const watched = await cores(() => delay(watchMs));
    await page.evaluate(`
      window.frames = [];
      const tick = (at) => { window.frames.push(at); requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
    `);
    const scrolled = await cores(() => scrollThrough(page));
    const at = await page.evaluate<readonly number[]>('window.frames');
    // Traced separately, because tracing itself costs CPU.
    const tasks = await tasksDuring(page, () => scrollThrough(page));
    return { cores: watched, scrollCores: scrolled, frames: framesOf(at), tasks };
  } finally {
    stop();
  }
}

function framesOf(at: readonly number[]): Frames {
  const gaps = at.slice(1).map((one, before) => one - (at[before] ?? one));
  const usual = quantile(gaps, 0.5);
  return {
    perSecond: (gaps.length / ((at.at(-1) ?? 0) - (at[0] ?? 0))) * 1_000,
    p99Ms: quantile(gaps, 0.99),
    longestMs: Math.max(...gaps),
    dropped: gaps.filter((gap) => gap > 1.5 * usual).length,
    count: gaps.length,
  };
}

async function scrollThrough(page: Page): Promise<void> {
  await page.mouse.move(400, 500);
  const until = performance.now() + scrollMs;
  while (performance.now() < until) {
    await page.mouse.wheel(0, 240);
    await delay(40);
  }
}

async function memoryOf(
  fleet: PageFleet,
  page: Page,
): Promise<Pick<Large, 'heapBefore' | 'heapAfter' | 'transitions'>> {
  const heapBefore = await heapOf(page);
  const before = fleet.transitions;
  const stop = fleet.startTransitions(memoryPerSecond);
  while (fleet.transitions - before < memoryTransitions) await delay(100);
  stop();
  await delay(3_000);
  return { heapBefore, heapAfter: await heapOf(page), transitions: fleet.transitions - before };
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
