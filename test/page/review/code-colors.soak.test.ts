import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { someOf } from '#test/support/some-of.ts';
import { colorSchemes, faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';
import { codeSamples } from './code-samples.ts';

/** The code of some languages, by the name of its file. */
const samples = someOf(Object.entries(codeSamples));

describe('colours of code on the page', () => {
  let stage: Stage;
  let page: Page;
  before(async () => {
    stage = await setStage();
    const author = await stage.launch('tongues', 'speak in tongues');
    await stage.until(author, 'IDLE');
    const { agent } = await stage.call<{ agent: { agent: { cwd: string } } }>('GetAgent', { agentId: author });
    for (const word of ['before', 'after']) {
      for (const [name, lines] of samples) {
        writeFileSync(join(agent.agent.cwd, name), `${lines.join('\n').replaceAll('OLD', word)}\n`);
      }
      await stage.call('StartReviewRound', { agentId: author });
    }
    page = await stage.open(`/agents/${author}/review`, { viewport: { width: 1280, height: 4_000 } });
    await page.getByLabel('Compared with').selectOption({ label: 'round 1' });
    await page.locator('.diff-code-delete').first().waitFor();
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  it('exist for common languages, with differences marked', async () => {
    for (const [name] of samples) {
      const file = page.getByRole('region', { name, exact: true });
      // Files above grow as they are read, and may push this one out of sight again.
      while (!(await file.locator('.token').first().isVisible())) {
        await file.scrollIntoViewIfNeeded();
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
      const marked = await file.locator('.diff-code-edit').allTextContents();
      expect(marked.join(' '), name).to.match(/before|after|bef|aft/);
    }
  });

  it('are legible on every row and every mark, in light and dark', async () => {
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsFoundByAxe(page), colorScheme).to.deep.equal([]);
    }
  });

  it('are below the list of files on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    const list = await page.getByRole('navigation', { name: 'Files' }).boundingBox();
    const first = await page.locator('.diff-file').first().boundingBox();
    expect((list?.y ?? 0) + (list?.height ?? 0)).to.be.below(first?.y ?? 0);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390);
  });
});
