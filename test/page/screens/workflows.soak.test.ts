import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inSoak } from '#test/support/soak.ts';
import { faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

const service = 'workflow.v1.WorkflowService';

interface Listed {
  readonly workflows: readonly { id: string; name: string; [field: string]: unknown }[];
}

describe('workflows on the page', () => {
  let stage: Stage;
  let page: Page;
  before(async () => {
    stage = await setStage();
    page = await stage.open('/workflows');
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const named = async (name: string) =>
    (await stage.call<Listed>(`${service}/ListWorkflows`, {})).workflows.find((one) => one.name === name);
  const row = (name: string) =>
    page
      .getByRole('list', { name: 'Workflows' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name, exact: true }) });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const dialog = (name: string) => page.getByRole('dialog', { name });

  it('are created by keyboard, with the service’s refusal at its field', async () => {
    await row('shop').getByText('scripted').waitFor();
    await page.keyboard.press('n');
    const form = dialog('New workflow');
    await form.getByText('Isolation', { exact: true }).click();
    expect(await form.getByLabel('Agents run').locator('option').allTextContents()).to.deep.equal([
      'not isolated',
      'in a sandbox',
      'in a container',
    ]);
    await form.getByLabel('Name').fill('shop');
    await form.getByLabel('Directory', { exact: true }).fill('/nowhere/at/all');
    await page.keyboard.press('Enter');
    await form.getByRole('alert').getByText('not a directory on').waitFor();
    expect(await form.getByLabel('Directory', { exact: true }).getAttribute('aria-invalid')).to.equal('true');
    await form.getByLabel('Directory', { exact: true }).fill(stage.pieces.repository);
    await page.keyboard.press('Enter');
    await form.getByRole('alert').getByText('has the name "shop" already').waitFor();
    await form.getByLabel('Name').fill('web');
    await form.getByLabel('Harness', { exact: true }).selectOption('shell');
    await form.getByText('Scripts, files, variables').click();
    await form.getByLabel('Setup').fill('cat settings.local');
    await form.getByLabel('Variables').fill('ACME_URL=https://acme.example\n\nJAVA_HOME');
    await form.getByText('Limits', { exact: true }).click();
    await form.getByLabel('Memory, MiB').fill('4096');
    await form.getByText('What its agents may launch and call').click();
    await form.getByLabel('Tools called without asking you').fill('create_agent');
    await form.getByLabel('failing checks').check();
    await button('Create').click();
    await page.getByRole('heading', { name: 'web', exact: true }).waitFor();
    await row('web').waitFor();
    await page.getByText('4096 MiB of memory').waitFor();
    expect(await named('web')).to.deep.include({
      harness: 'shell',
      scripts: { setup: 'cat settings.local' },
      environment: ['ACME_URL=https://acme.example', 'JAVA_HOME'],
      preApprovedTools: ['create_agent'],
      grants: { memoryMib: 4096 },
      mailOnPullRequest: ['PULL_REQUEST_MATTER_FAILING_CHECKS'],
    });
    // The stage ends without its agents’ archive, and would leave a control group of one with limits.
    await stage.call(`${service}/UpdateWorkflow`, { workflowId: (await named('web'))?.id, clear: ['grants'] });
  });

  it('save only the changed fields, and keep another person’s changes', async () => {
    await page.keyboard.press('e');
    const form = dialog('Edit web');
    await form.getByLabel('Context').fill('We use tabs.');
    await form.getByLabel('Variables').fill('');
    await stage.call(`${service}/UpdateWorkflow`, { workflowId: (await named('web'))?.id, flags: '-l' });
    await button('Save').click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('We use tabs.').waitFor();
    const { environment, ...rest } = (await named('web')) ?? { id: '', name: '' };
    expect(rest).to.deep.include({ flags: '-l', context: 'We use tabs.', scripts: { setup: 'cat settings.local' } });
    expect(environment ?? []).to.deep.equal([]);
  });

  it('try a setup script live, stop it, save the tried script, and leave nothing behind', async () => {
    await page.keyboard.press('t');
    const form = dialog('Try the setup script of web');
    await form.getByRole('button', { name: 'Run' }).click();
    await form.getByText('failed', { exact: true }).waitFor();
    await form.getByRole('log').getByText('settings.local').waitFor();
    await form.getByText('ended with 1').waitFor();
    await form.getByLabel('Setup script').fill('echo started; sleep 600');
    await form.getByRole('button', { name: 'Run' }).click();
    await form.getByRole('log').getByText('started').waitFor();
    await form.getByText('running', { exact: true }).waitFor();
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await form.getByRole('button', { name: 'Stop' }).click();
    await form.getByText('stopped', { exact: true }).waitFor();
    await form.getByLabel('Setup script').fill('git branch --show-current');
    await form.getByRole('button', { name: 'Run' }).click();
    await form.getByText('succeeded', { exact: true }).waitFor();
    await form.getByRole('log').getByText('muster/try_').waitFor();
    await form.getByRole('button', { name: 'Save script' }).click();
    await page.getByText('The setup script of web is saved').waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    const branches = execFileSync('git', ['-C', stage.pieces.repository, 'branch', '--list', 'muster/try*']);
    expect(branches.toString()).to.equal('');
    expect((await named('web'))?.['scripts']).to.deep.equal({ setup: 'git branch --show-current' });
  });

  it('offer a failed launch the workflow’s current settings after a change', async () => {
    const workflowId = (await named('web'))?.id ?? '';
    const setup = (script: string) =>
      stage.call(`${service}/UpdateWorkflow`, { workflowId, scripts: { setup: script }, clear: ['context', 'flags'] });
    await setup('exit 3');
    const agentId = await stage.launch('mended', 'true', { workflowId });
    await stage.until(agentId, 'FAILED_TO_CREATE');
    await page.goto(`${stage.pageUrl}/agents/${agentId}`);
    await button(/^Retry/).waitFor();
    expect(await button(/^Retry/).count()).to.equal(1);
    await setup('true');
    await button('Retry with current workflow').waitFor();
    await button(/^Retry t$/).click();
    await page.getByText('mended is being retried', { exact: true }).waitFor();
    await stage.until(agentId, 'FAILED_TO_CREATE');
    await button('Retry with current workflow').click();
    await stage.until(agentId, 'IDLE');
  });

  inSoak('are usable with a thumb on a phone', async () => {
    const viewport = { width: 390, height: 780 };
    const phone = await stage.open('/workflows', { viewport, hasTouch: true, isMobile: true });
    await phone.getByRole('link', { name: 'web', exact: true }).tap();
    await phone.getByRole('button', { name: 'Try setup script' }).tap();
    const form = phone.getByRole('dialog', { name: 'Try the setup script of web' });
    await form.getByRole('button', { name: 'Run' }).tap();
    await form.getByText('succeeded', { exact: true }).waitFor();
    const { x = 0, width = 0, height = 0 } = (await form.getByRole('button', { name: 'Run' }).boundingBox()) ?? {};
    expect(x + width).to.be.below(viewport.width);
    expect(height).to.be.at.least(40);
    await phone.context().close();
  });

  it('are deleted, which the service refuses while they have agents', async () => {
    await page.goto(`${stage.pageUrl}/workflows`);
    await row('web').getByText('1 agent').waitFor();
    await row('web').getByRole('link').click();
    await page.getByRole('heading', { name: 'web', exact: true }).waitFor();
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await page.keyboard.press('d');
    await dialog('Delete web?').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('still has agents, archived ones').waitFor();
    const request = { name: 'passing', cwd: stage.pieces.repository, harness: 'shell' };
    await stage.call(`${service}/CreateWorkflow`, request);
    await row('passing').getByRole('link').click();
    await page.getByRole('heading', { name: 'passing', exact: true }).waitFor();
    await page.keyboard.press('d');
    await dialog('Delete passing?').getByRole('button', { name: 'Delete', exact: true }).click();
    await row('passing').waitFor({ state: 'detached' });
  });
});
