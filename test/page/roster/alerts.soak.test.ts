import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { moment } from '#test/support/moment.ts';
import { desktop, shownBy } from '../desktop.ts';
import { look } from '../looking.ts';
import { type Stage, setStage } from '../stage.ts';

/** What scripted agents ask. */
const asked = 'Edit file src/login.ts · Do you want to make this edit to login.ts?';

describe('notifying a person', () => {
  let stage: Stage;
  let page: Page;
  let other: Page;
  before(async () => {
    stage = await setStage();
    page = await stage.open();
    await page.context().addInitScript(desktop);
    await page.reload();
    await page.getByText('live', { exact: true }).waitFor();
    other = await page.context().newPage();
    await other.goto(stage.pageUrl);
    await other.getByText('live', { exact: true }).waitFor();
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const sounded = (of: Page) => of.evaluate<number>('window.sounded');
  const title = (of: Page, wanted: string) =>
    moment(`the title to be ${wanted}`, async () => (await of.title()) === wanted);

  it('uses the title alone by default', async () => {
    await stage.until(await stage.launch('first', 'ask one'), 'WAITING');
    await title(page, '(1) muster');
    await title(other, '(1) muster');
    expect([...(await shownBy(page)), ...(await shownBy(other))]).to.deep.equal([]);
  });

  it('makes one notification and one sound if enabled, however many tabs are open', async () => {
    await other.getByRole('button', { name: 'Settings' }).click();
    await other.getByLabel('show a notification').check();
    await other.getByLabel('sound').check();
    await other.keyboard.press('Escape');
    const before = (await sounded(page)) + (await sounded(other));
    await stage.until(await stage.launch('second', 'ask another'), 'WAITING');
    await title(page, '(2) muster');
    await moment('one notification', async () => (await shownBy(page)).length + (await shownBy(other)).length === 1);
    expect(await shownBy(page)).to.deep.equal([`second waits for you: ${asked}`]);
    expect((await sounded(page)) + (await sounded(other)) - before).to.equal(1);
  });

  it('continues in the background through the leader, while other tabs close their stream', async () => {
    const ended = other.waitForEvent('requestfailed', (request) => request.url().endsWith('/WatchAgents'));
    await look(page, 'hidden');
    await look(other, 'hidden');
    await ended;
    await stage.until(await stage.launch('third', 'ask a third'), 'WAITING');
    await title(page, '(3) muster');
    await title(other, '(3) muster');
    expect(await other.getByRole('row').filter({ hasText: 'third' }).count()).to.equal(0);
    await look(other, 'visible');
    await other.getByRole('row').filter({ hasText: 'third' }).waitFor();
    await look(page, 'visible');
  });

  it('moves to another tab when the leader is closed', async () => {
    await page.close();
    await stage.until(await stage.launch('fourth', 'ask a fourth'), 'WAITING');
    await moment('the notification', async () => (await shownBy(other)).includes(`fourth waits for you: ${asked}`));
  });
});
