import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { colorSchemes, faultsFoundByAxe } from '../axe.ts';
import { phone } from '../pictures/views.ts';
import { type Stage, setStage } from '../stage.ts';

describe('logs on the page', () => {
  let stage: Stage;
  before(async () => {
    stage = await setStage();
    mkdirSync(join(stage.pieces.home, 'logs'), { recursive: true });
    log('gateway', { level: 'warn', msg: 'slow <b>client</b> \u001b[31m' });
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const log = (name: string, record: object) => {
    const line = JSON.stringify({ time: new Date().toISOString(), name, ...record });
    appendFileSync(join(stage.pieces.home, 'logs', `${name}.jsonl`), `${line}\n`);
  };

  it('show those of a host’s machine, the newest in view, of one process or all', async () => {
    const page = await stage.open('/hosts');
    await page.getByRole('list', { name: 'Hosts' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Logs' }).click();
    const dialog = page.getByRole('dialog', { name: /^Logs on / });
    const records = dialog.getByRole('log', { name: 'Log records' });
    const warned = records.locator('.log-record').filter({ hasText: 'slow <b>client</b> \\u001b[31m' });
    await warned.getByText('WARN').waitFor();
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsFoundByAxe(page), colorScheme).to.deep.equal([]);
    }
    for (let at = 0; at < 150; at += 1) log('registry', { level: 'info', msg: `checked ${at}` });
    await dialog.getByRole('button', { name: 'Read again' }).click();
    const last = records.getByText('checked 149');
    await last.waitFor();
    const [box, frame] = [await last.boundingBox(), await records.boundingBox()];
    expect((box?.y ?? 0) + (box?.height ?? 0)).to.be.at.most((frame?.y ?? 0) + (frame?.height ?? 0));
    await dialog.getByLabel('Process').selectOption('gateway');
    await last.waitFor({ state: 'detached' });
    await warned.waitFor();
    await page.context().close();
  });

  it('fit a phone', async () => {
    const page = await stage.open('/hosts', phone);
    await page.getByRole('list', { name: 'Hosts' }).getByRole('link').first().tap();
    await page.getByRole('button', { name: 'Logs' }).tap();
    const records = page.getByRole('log', { name: 'Log records' });
    await records.waitFor();
    const { x = -1, width = 0 } = (await records.boundingBox()) ?? {};
    expect(x).to.be.at.least(0);
    expect(x + width).to.be.at.most(phone.viewport.width);
    await page.context().close();
  });
});
