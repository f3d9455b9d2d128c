import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Stage, setStage } from '../stage.ts';

const files = 300;
const longest = 5_000;

describe('a long diff on the page', () => {
  let stage: Stage;
  let page: Page;
  before(async () => {
    stage = await setStage();
    const author = await stage.launch('catalogue', 'write the catalogue');
    await stage.until(author, 'IDLE');
    const { agent } = await stage.call<{ agent: { agent: { cwd: string } } }>('GetAgent', { agentId: author });
    const folder = join(agent.agent.cwd, 'items');
    mkdirSync(folder);
    const item = (at: number) => `export const item${at} = { name: 'item ${at}', price: ${at} }; // of ${at}`;
    const items = (count: number) => `${Array.from({ length: count }, (_, at) => item(at)).join('\n')}\n`;
    for (let at = 0; at < files; at += 1) writeFileSync(join(folder, `i${String(at).padStart(3, '0')}.ts`), items(60));
    writeFileSync(join(folder, 'i000z.ts'), items(longest));
    writeFileSync(join(folder, 'wide.js'), `const packed = "${'x'.repeat(5_000)}";\n`);
    await stage.call('StartReviewRound', { agentId: author });
    page = await stage.open(`/agents/${author}/review`);
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const rowsDrawn = () => page.locator('.diff-line').count();

  it('draws rows near the viewport, and reserves space for the rest', async () => {
    await page.getByRole('region', { name: 'items/i000.ts' }).locator('.token.keyword').first().waitFor();
    expect(await rowsDrawn()).to.be.within(60, 800);
    const { height = 0 } = (await page.getByRole('region', { name: 'items/i000z.ts' }).boundingBox()) ?? {};
    expect(height).to.be.within(longest * 19, longest * 19 + 100);
  });

  it('jumps to a far file, which is then drawn and coloured, with a sticky head', async () => {
    await page.getByRole('navigation', { name: 'Files' }).getByRole('button', { name: 'items/i000z.ts' }).click();
    const long = page.getByRole('region', { name: 'items/i000z.ts' });
    await page.locator('.review-diff').evaluate((place) => place.scrollBy(0, 3_000 * 19));
    const row = page.getByRole('button', { name: 'Comment on line 3000 of items/i000z.ts' });
    await long.locator('.diff-line', { has: row }).locator('.token.comment', { hasText: '// of 2999' }).waitFor();
    expect(await rowsDrawn()).to.be.below(2_500);
    const top = async (what: string) => (await long.locator(what).first().boundingBox())?.y;
    expect(await top('.file-head')).to.equal((await page.locator('.review-diff').boundingBox())?.y);
    await page.getByRole('button', { name: 'items/i000z.ts', expanded: true }).click();
    expect(await top('.file-head'), 'where it was').to.be.within(80, 140);
    await page.getByRole('region', { name: 'items/i001.ts' }).locator('.token.keyword').first().waitFor();
  });

  it('loads more near its end, and leaves generated code uncoloured', async () => {
    const names = page.getByRole('navigation', { name: 'Files' }).getByRole('button');
    for (let tries = 0; tries < 20 && (await names.count()) < files + 2; tries += 1) {
      const before = await names.count();
      await page.locator('.review-diff').evaluate((place) => place.scrollTo(0, place.scrollHeight));
      await names.nth(before).waitFor();
    }
    expect(await names.count()).to.equal(files + 2);
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('/');
    await page.keyboard.type('items wide');
    await names.nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await names.nth(1).waitFor();
    const wide = page.getByRole('region', { name: 'items/wide.js' });
    await wide.getByText('no colours: lines too long').waitFor();
    await wide.getByText('const packed').waitFor();
    expect(await wide.locator('.token').count()).to.equal(0);
  });
});
