import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { moment } from '#test/support/moment.ts';
import { familiesIn, socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

describe('finding agents in the roster', () => {
  let stage: Stage;
  let page: Page;
  before(async () => {
    stage = await setStage();
    const request = { name: 'docs', cwd: stage.pieces.repository, harness: 'scripted', provisionEnabled: true };
    const { workflow } = await stage.call<{ workflow: { id: string } }>(
      'workflow.v1.WorkflowService/CreateWorkflow',
      request,
    );
    const launched = await Promise.all([
      stage.launch('login-expiry', '# find out why sessions end early\n\nIt began on Monday.'),
      stage.launch('payment-retries', 'make payment retries idempotent'),
      stage.launch('old-links', 'replace links that lead nowhere', { workflowId: workflow.id }),
    ]);
    await Promise.all(launched.map((id) => stage.until(id, 'IDLE')));
    const { agent: row } = await stage.call<{ agent: { agent: { cwd: string } } }>('GetAgent', {
      agentId: launched[2],
    });
    writeFileSync(join(row.agent.cwd, 'links.txt'), 'one\ntwo\nthree\n');
    execFileSync('git', ['add', '-A'], { cwd: row.agent.cwd });
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'links'], {
      cwd: row.agent.cwd,
    });
    page = await stage.open();
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const names = () => page.locator('.roster-row .name').allInnerTexts();
  const namesAre = (wanted: readonly string[]) =>
    moment(`the list to be ${wanted.join(', ')}`, async () => (await names()).join() === wanted.join());
  const all = ['old-links', 'login-expiry', 'payment-retries'];
  const row = (name: string) => page.getByRole('row').filter({ has: page.locator('.name').getByText(name) });

  it('groups by project, with the task and diff size of each agent', async () => {
    await row('old-links').waitFor();
    const headings = page.locator('.roster-project');
    await moment('both projects', async () => (await headings.allInnerTexts()).join() === 'docs 1,shop 2');
    expect((await names()).toSorted()).to.deep.equal(all.toSorted());
    expect(await row('login-expiry').locator('.doing').innerText()).to.equal('find out why sessions end early');
    await moment('the diff', async () => (await row('old-links').locator('.diff').innerText()) === '+3 −0 1 file');
    expect(await row('login-expiry').locator('.diff').innerText()).to.equal('');
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
  });

  it('finds by the words of a task, and opens the first with Enter', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('links nowhere');
    await namesAre(['old-links']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'old-links' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  it('keeps its filters in the address over a reload and from agent to agent', async () => {
    await page.getByLabel('All projects').selectOption('shop');
    await page.getByRole('button', { name: '3 idle' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('retries');
    await namesAre(['payment-retries']);
    await page.waitForURL(/q=retries/);
    expect(new URL(page.url()).search).to.equal('?q=retries&state=idle&project=shop');
    await page.reload();
    await namesAre(['payment-retries']);
    expect(await page.getByLabel('All projects').inputValue()).to.equal('shop');
    await page.getByRole('link', { name: 'payment-retries' }).click();
    await page.getByRole('heading', { name: 'payment-retries' }).waitFor();
    expect(page.url()).to.include('q=retries');
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row('old-links').waitFor();
    await page.waitForURL((url) => url.search === '');
  });

  it('shows a refused deletion on the row, with what would be lost', async () => {
    await row('old-links').getByRole('link').click();
    await page.getByRole('heading', { name: 'old-links' }).waitFor();
    await page.keyboard.press('d');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const refused = /^Not deleted: this would be lost: 1 commit.*“Delete with unsaved work”/s;
    await moment('the row says so', async () => refused.test(await row('old-links').locator('.detail').innerText()));
    expect(await row('old-links').locator('.state').innerText()).to.equal('Idle');
    await page.getByRole('complementary').getByText(refused).waitFor();
    await page.getByRole('button', { name: 'Delete with unsaved work' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  it('lists agents that lost their windows with their terminals, and restores them', async () => {
    const runDir = join(stage.pieces.home, 'run');
    for (const family of await familiesIn(socketFolder(runDir), []))
      execFileSync('tmux', ['-S', socketOf(socketFolder(runDir), family), 'kill-server']);
    const lost = page.getByRole('status', { name: 'Lost windows' });
    await lost.getByText('3 agents have lost their windows.').waitFor();
    expect(await page.locator('.roster-row .state').allInnerTexts()).to.deep.equal(all.map(() => 'Window lost'));
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await lost.getByRole('button', { name: 'Restore all' }).click();
    await page.getByText('3 of 3 agents are being restored').waitFor();
    await lost.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '3 idle' }).waitFor();
  });
});
