import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Stage, setStage } from '../stage.ts';

describe('the menu of an agent', () => {
  let stage: Stage;
  let page: Page;
  before(async () => {
    stage = await setStage();
    await Promise.all([stage.launch('nightly', 'work: the night'), stage.launch('launched', 'work: something')]);
    page = await stage.open();
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const open = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name }).waitFor();
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const press = (key: string) => page.keyboard.press(key);

  it('renames and marks an agent, copies its attach command, and shows its history', async () => {
    await open('launched');
    await page.getByText('Rename, mark, move, attach, token').click();
    await button('Rename').click();
    const rename = page.getByRole('dialog', { name: 'Rename launched' });
    await rename.getByLabel('Name').fill('nightly');
    await press('Enter');
    await rename.getByRole('alert').getByText('already has that name').waitFor();
    await rename.getByLabel('Name').fill('renamed');
    await press('Enter');
    await page.getByRole('heading', { name: 'renamed' }).waitFor();
    await button(/^Mark/).click();
    await page.getByRole('dialog', { name: 'Mark renamed' }).getByLabel('Mark').fill('z');
    await press('Enter');
    await page.getByTitle('mark z').first().waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.pageUrl });
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await button('Copy attach command').click();
    await page.getByText('“muster attach renamed” is copied').waitFor();
    expect(await clipboard()).to.equal('muster attach renamed');
    await page.getByRole('link', { name: 'Facts', exact: true }).last().click();
    await page.getByRole('heading', { name: 'Facts of renamed' }).waitFor();
    await page.getByText('agent.created', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByRole('heading', { name: 'Facts', exact: true }).waitFor();
    const facts = page.getByRole('list', { name: 'Facts' });
    await facts.getByRole('link', { name: 'nightly' }).first().waitFor();
    const request = { name: 'short-lived', cwd: stage.pieces.repository, harness: 'shell' };
    const method = 'workflow.v1.WorkflowService/CreateWorkflow';
    const { workflow } = await stage.call<{ workflow: { id: string } }>(method, request);
    await facts.getByRole('listitem').filter({ hasText: 'short-lived' }).getByText('workflow.created').waitFor();
    await stage.call('workflow.v1.WorkflowService/DeleteWorkflow', { workflowId: workflow.id });
    await facts.getByText('workflow.deleted').first().waitFor();
    expect(await facts.locator('time').first().textContent()).to.match(/, \d\d:\d\d:\d\d$/);
  });

  it('creates another token for an agent, and revokes its tokens', async () => {
    await page.goto(stage.pageUrl);
    await open('renamed');
    await page.getByText('Rename, mark, move, attach, token').click();
    await button('Token').click();
    await button('Copy a new token').click();
    await page.getByText('A new token of renamed copied').waitFor();
    const token = await page.evaluate<string>('navigator.clipboard.readText()');
    const asAgent = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const ask = { method: 'POST', headers, body: '{}' };
      return (await fetch(`${stage.pieces.url}/agent.v1.AgentService/ListAgents`, ask)).status;
    };
    expect(await asAgent()).to.equal(200);
    await button('Revoke its tokens').click();
    await page.getByText('The tokens of renamed are revoked').waitFor();
    expect(await asAgent()).to.equal(401);
  });

  it('shows an agent’s CLI version, outdated rules, and a contradiction between report and screen', async () => {
    await page.goto(stage.pageUrl);
    await open('nightly');
    const version = process.versions.node;
    await page.getByText(`scripted ${version}`).waitFor();
    const file = join(stage.pieces.home, 'rules', 'scripted.json');
    const rules = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...rules, recordedWith: '1.0.0' }));
    await page.getByText(`(rules recorded with 1.0.0, this is ${version})`).waitFor();
    const { agents } = await stage.call<{ agents: { agent: { id: string; name: string } }[] }>('ListAgents', {});
    const agentId = agents.find(({ agent }) => agent.name === 'nightly')?.agent.id;
    await stage.call('ReportReason', { agentId, reason: 'asks permission: Bash' });
    const both = page.getByText(/^disagreement, its screen shows THINKING.*, its CLI says “asks permission: Bash”$/);
    await both.first().waitFor();
    await page.getByText('It says: asks permission: Bash').waitFor();
    expect(await both.count()).to.be.above(1);
    expect(await page.title()).to.match(/^\(1\) /);
  });
});
