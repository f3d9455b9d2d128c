import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Stage, setStage } from '#test/page/stage.ts';
import { report } from '../stage/report.ts';
import { ms } from '../stage/sample.ts';

const defaultFiles = 2_000;
const rowsOfEach = 20;
const rowsOfLong = 6_000;
const scrollMs = 10_000;
const firstFile = 'items/long.ts';

/** Measures how soon the page shows and colours a long diff, and how late frames are while scrolling. */
export async function benchPageDiff(_homes: unknown, [files = defaultFiles]: readonly number[]): Promise<void> {
  const stage = await setStage();
  try {
    const author = await stage.launch('catalogue', 'write the catalogue');
    await stage.until(author, 'IDLE');
    await write(stage, author, files);
    await stage.call('StartReviewRound', { agentId: author });
    const page = await stage.open();
    await page.evaluate(`
      window.longest = 0;
      let before = performance.now();
      const tick = (at) => { window.longest = Math.max(window.longest, at - before); before = at; window.frames = (window.frames ?? 0) + 1; requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
    `);
    const colored = await openedIn(page, author);
    const opening = await frames(page);
    const all = await goThrough(page);
    const through = await frames(page);
    await page.keyboard.press('s');
    await page.locator('.diff-split').first().waitFor();
    await delay(500);
    const split = await frames(page);
    const rows = files * rowsOfEach + rowsOfLong;
    report(
      'a long diff',
      `${files + 1} files with ${rows} rows, ${rowsOfLong} of them in one; scrolled by mouse wheel for ${scrollMs / 1000} s.`,
      ['what', 'measured', 'target'],
      [
        ['from the click to the first coloured row', ms(colored), '< 1500 ms'],
        ['longest frame until then', ms(opening.longestMs), ''],
        ['longest frame while scrolling', ms(through.longestMs), '<= 200 ms'],
        ['frames a second while scrolling', through.perSecond.toFixed(0), ''],
        ['rows that were drawn by then', String(all), ''],
        ['longest frame when set side by side', ms(split.longestMs), '<= 500 ms'],
      ],
    );
  } finally {
    await stage.stop();
  }
}

async function write({ call }: Stage, agentId: string, files: number): Promise<void> {
  const { agent } = await call<{ agent: { agent: { cwd: string } } }>('GetAgent', { agentId });
  const folder = join(agent.agent.cwd, 'items');
  mkdirSync(folder);
  const item = (at: number) =>
    `export const item${at} = { name: 'item ${at}', price: round(${at} * 1.07) }; // of ${at}`;
  const items = (count: number) => `${Array.from({ length: count }, (_, at) => item(at)).join('\n')}\n`;
  writeFileSync(join(agent.agent.cwd, firstFile), items(rowsOfLong));
  for (let at = 0; at < files; at += 1) writeFileSync(join(folder, `item-${at}.ts`), items(rowsOfEach));
}

/** The time from the click until the first row is coloured, in milliseconds. */
async function openedIn(page: Page, author: string): Promise<number> {
  await page.locator('.roster-row').first().click();
  await page.getByRole('complementary').waitFor();
  const started = performance.now();
  await page.evaluate('window.longest = 0');
  await page.keyboard.press('v');
  await page.waitForURL(`**/agents/${author}/review`);
  await page.locator('.hunk .token.keyword').first().waitFor();
  return performance.now() - started;
}

/** Scrolls, and returns how many rows are in the document at the end. */
async function goThrough(page: Page): Promise<number> {
  await page.mouse.move(700, 500);
  const until = performance.now() + scrollMs;
  while (performance.now() < until) {
    await page.mouse.wheel(0, 600);
    await delay(30);
  }
  return page.locator('.diff-line').count();
}

/** The longest frame since the last call, and the frames per second of scrolling. */
async function frames(page: Page): Promise<{ readonly longestMs: number; readonly perSecond: number }> {
  const [longestMs, count] = await page.evaluate<[number, number]>('[window.longest, window.frames]');
  await page.evaluate('window.longest = 0; window.frames = 0');
  return { longestMs, perSecond: (count * 1_000) / scrollMs };
}
