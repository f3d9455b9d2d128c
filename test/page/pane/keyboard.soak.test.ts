import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

describe('the page by keyboard, and its empty states', () => {
  let stage: Stage;
  let page: Page;
  let asking: string;
  before(async () => {
    stage = await setStage();
    asking = await stage.launch('asker', 'ask first');
    await stage.until(asking, 'WAITING');
    page = await stage.open();
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const open = async (path: string) => {
    await page.goto(`${stage.pageUrl}${path}`);
    await page.getByText('live', { exact: true }).waitFor();
  };
  const path = () => new URL(page.url()).pathname;

  for (const screen of ['/', '/archived', '/schedules', '/mail', '/pull-requests', '/pull-requests/forges', '/runs']) {
    it(`lists its keys at ${screen}`, async () => {
      await open(screen);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    });
  }

  it('disables its keys while the settings are open', async () => {
    await open(`/agents/${asking}`);
    await page.getByRole('heading', { name: 'asker' }).waitFor();
    await page.getByRole('button', { name: 'Settings' }).focus();
    await page.keyboard.press('Enter');
    const way = page.getByRole('button', { name: 'Sign out of this browser' });
    await way.focus();
    await page.keyboard.press('e');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await page.keyboard.press('Escape');
    await way.waitFor({ state: 'hidden' });
    expect(path()).to.equal(`/agents/${asking}`);
  });

  it('shows selection and waiting agents in forced colours too', async () => {
    await open(`/agents/${asking}`);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('.roster-row[aria-selected="true"]').waitFor();
    const style = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    expect(await style('.roster-row[aria-selected="true"]', 'outlineStyle')).to.equal('solid');
    expect(await style('.roster-row .agent-status[data-kind="waiting"]', 'backgroundColor')).to.equal(
      'rgb(242, 168, 29)',
    );
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('keeps the focus at an agent after its question was answered', async () => {
    await open(`/agents/${asking}`);
    await page.getByRole('region', { name: 'The screen of asker' }).getByText('❯ 1. Yes').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('1');
    await page.getByText('Needs your answer').waitFor({ state: 'detached' });
    await page.getByRole('complementary', { name: 'Agent asker' }).and(page.locator(':focus')).waitFor();
  });

  it('reports an unknown address, with a way back', async () => {
    for (const [at, words] of [
      ['/agents/a/b/c', 'There is nothing at this address'],
      ['/nowhere/at/all', '/nowhere/at/all is no address'],
      ['/agents/agt_none', 'There is no agent'],
      ['/runs/abc', 'There is no run abc'],
      ['/hosts/none', 'There is no host'],
    ] as const) {
      await open(at);
      await page.getByText(words).waitFor();
      expect(await faultsFoundByAxe(page), at).to.deep.equal([]);
    }
  });

  it('names an agent’s host, and shows there that it is offline as soon as that is known', async () => {
    await open(`/agents/${asking}`);
    const { hosts } = await stage.call<{ hosts: { name: string }[] }>('host.v1.HostService/ListHosts', {});
    const panel = page.getByRole('complementary', { name: 'Agent asker' });
    await panel.getByRole('link', { name: hosts[0]?.name ?? '?', exact: true }).waitFor();
    await stage.pieces.kill('host');
    await panel.getByText('has been silent for').waitFor({ timeout: 60_000 });
    await stage.pieces.start('host');
    await panel.getByText('has been silent for').waitFor({ state: 'detached' });
  });
});
