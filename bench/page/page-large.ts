import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { quantile } from '../stage/sample.ts';
import { type BenchBrowser, benchBrowser, letIn } from './page-browser.ts';
import { type PageFleet, pageFleet } from './page-fleet.ts';
import { type Tasks, tasksDuring } from './page-tasks.ts';

const watchMs = 15_000;
const scrollMs = 10_000;
/** How many moves the page is asked to see whether its memory grows, and how fast. */
const memoryMoves = 100_000;
const memoryPerSecond = 4_000;

/** What a large fleet that moves costs the browser. */
export interface Large {
  readonly loadMs: number;
  readonly cores: number;
  readonly scrollCores: number;
  readonly frames: Frames;
  readonly tasks: Tasks;
  /** The heap in use before and after that many changes of state, in bytes, after a garbage collection. */
  readonly heapBefore: number;
  readonly heapAfter: number;
  readonly moves: number;
}

/** The frames of a while, in milliseconds. */
interface Frames {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** How many came more than a whole frame late, of how many. */
  readonly dropped: number;
  readonly count: number;
}

/**
 * Loads a fleet of so many made-up agents, lets them move, scrolls through them, and then lets them move for an hour's
 * worth.
 */
export async function measureLarge(size: number, movesPerSecond: number): Promise<Large> {
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
      ...(await underMoves(fleet, page, bench, movesPerSecond)),
      ...(await memoryOf(fleet, page)),
    };
  } finally {
    await bench.browser.close();
    await fleet.gateway.close();
  }
}

type UnderMoves = Pick<Large, 'cores' | 'scrollCores' | 'frames' | 'tasks'>;

async function underMoves(
  fleet: PageFleet,
  page: Page,
  { cores }: BenchBrowser,
  perSecond: number,
): Promise<UnderMoves> {
  const rest = fleet.move(perSecond);
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
    // Traced on its own, since tracing takes its part of the processor.
    const tasks = await tasksDuring(page, () => scrollThrough(page));
    return { cores: watched, scrollCores: scrolled, frames: framesOf(at), tasks };
  } finally {
    rest();
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

async function memoryOf(fleet: PageFleet, page: Page): Promise<Pick<Large, 'heapBefore' | 'heapAfter' | 'moves'>> {
  const heapBefore = await heapOf(page);
  const before = fleet.moves;
  const rest = fleet.move(memoryPerSecond);
  while (fleet.moves - before < memoryMoves) await delay(100);
  rest();
  await delay(3_000);
  return { heapBefore, heapAfter: await heapOf(page), moves: fleet.moves - before };
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
