import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { faultsFoundByAxe } from '../axe.ts';
import { desktop, shownBy } from '../desktop.ts';
import { type Stage, setStage } from '../stage.ts';

const player = fileURLToPath(new URL('../player.mjs', import.meta.url));

/** Installs the scripted program as `claude`, whose questions rules read. Returns the folder for the PATH. */
function installClaude(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const file = join(bin, 'claude');
  writeFileSync(
    file,
    `#!/bin/sh\n[ "$1" = --version ] && echo '2.1.0 (Claude Code)' && exit\nexec '${process.execPath}' '${player}' "$@"\n`,
  );
  chmodSync(file, 0o755);
  return bin;
}

describe('approvals on the page', () => {
  let stage: Stage;
  let page: Page;
  let folder: TemporaryFolder;
  before(async () => {
    folder = temporaryFolder('allowed');
    stage = await setStage({
      settings: { PATH: `${installClaude(folder.path)}:${process.env['PATH']}`, HOME: folder.path },
      workflow: async ({ call, repository: cwd }) => {
        const request = { name: 'shop', cwd, harness: 'claude', provisionEnabled: true };
        const method = 'workflow.v1.WorkflowService/CreateWorkflow';
        return (await call<{ workflow: { id: string } }>(method, request)).workflow.id;
      },
    });
    page = await stage.open();
  });
  after(async () => {
    await stage.stop();
    folder.remove();
  });
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const prints = (agentId: string, text: string) =>
    moment(text, async () => {
      const { screen } = await stage.call<{ screen: { text: string } }>('ReadPane', { agentId });
      return screen.text.includes(text);
    });

  it('are offered with the rule that would be written, which answers from then on', async () => {
    const id = await stage.launch('deployer', 'deploy');
    await stage.until(id, 'WAITING');
    await page.goto(`${stage.pageUrl}/agents/${id}`);
    const panel = page.getByRole('complementary', { name: 'Agent deployer' });
    await panel.getByRole('button', { name: 'Always allow this …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Always allow this' });
    const rule = dialog.getByLabel('Rule');
    await dialog.getByText('This question: allow, “Yes” (a rule agrees)').waitFor();
    expect(JSON.parse(await rule.inputValue())).to.deep.equal([
      { action: 'APPROVAL_ACTION_ANSWER', tools: ['shell'], command: { exact: 'npm run deploy -- --to staging' } },
    ]);
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await rule.fill('[{ "action": "APPROVAL_ACTION_ANSWER", "command": { "glob": "npm test *" } }]');
    await dialog.getByText('This question: ask me (no rule matches)').waitFor();
    await rule.fill('[{ "action": "APPROVAL_ACTION_ANSWER", "comand": 1 }]');
    await dialog.getByRole('alert').waitFor();
    await rule.fill('[{ "action": "APPROVAL_ACTION_ANSWER", "command": { "glob": "npm run deploy *" } }]');
    await dialog.getByText('This question: allow, “Yes” (a rule agrees)').waitFor();
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await prints(id, '● Yes.');
    // It is recorded once the host has reported that it is typed.
    const fact = await moment('the answer is recorded', async () => {
      const request = { subjectId: id, kinds: ['agent.approved'] };
      const { facts } = await stage.call<{ facts?: { detail: string }[] }>('fact.v1.FactService/ListFacts', request);
      return facts?.[0];
    });
    const { screen, ...detail } = JSON.parse(fact.detail) as Record<string, unknown>;
    expect(detail).to.include({ rule: 1, command: 'npm run deploy -- --to staging', choice: 'Yes', refused: false });
    expect(screen).to.contain('npm run deploy -- --to staging');
  });

  it('are given before anybody is notified, who is notified of what they leave', async () => {
    await page.context().addInitScript(desktop);
    await page.goto(stage.pageUrl);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('show a notification').check();
    await page.keyboard.press('Escape');
    const id = await stage.launch('quiet', 'deploy');
    await page.getByText('Bash command · npm run deploy').first().waitFor();
    await prints(id, '● Yes.');
    await stage.until(await stage.launch('asks', 'ask'), 'WAITING');
    await moment('a notification', async () => (await shownBy(page)).length > 0);
    expect(await shownBy(page)).to.deep.equal([
      'asks waits for you: Edit file src/login.ts · Do you want to make this edit to login.ts?',
    ]);
  });

  it('are waited for by another tab, too, in case the lead is closed meanwhile', async () => {
    const other = await page.context().newPage();
    await other.goto(stage.pageUrl);
    await other.getByText('live', { exact: true }).waitFor();
    await stage.launch('asks-late', 'ask');
    const question = 'Edit file src/login.ts · Do you want to make this edit to login.ts?';
    await other.getByRole('row').filter({ hasText: 'asks-late' }).getByText(question).waitFor();
    await page.close();
    page = other;
    await moment('its notification', async () => (await shownBy(page)).length > 0);
    expect(await shownBy(page)).to.deep.equal([`asks-late waits for you: ${question}`]);
  });

  it('are turned off for everything at once, and shown where a question is', async () => {
    await page.goto(`${stage.pageUrl}/workflows`);
    await page.getByRole('link', { name: 'shop', exact: true }).click();
    await page.getByRole('list', { name: 'Approvals of shop' }).getByText('command npm run deploy *').waitFor();
    await page.getByRole('button', { name: 'Turn approvals off' }).click();
    await page.getByRole('button', { name: 'Approvals are off: turn on' }).waitFor();
    const id = await stage.launch('waiter', 'deploy');
    await stage.until(id, 'WAITING');
    await page.goto(`${stage.pageUrl}/agents/${id}`);
    const panel = page.getByRole('complementary', { name: 'Agent waiter' });
    await panel.getByText('Approvals are off: no rule answers anything.').waitFor();
    await stage.call('approval.v1.ApprovalService/SwitchApprovals', { enabled: true });
    await prints(id, '● Yes.');
  });

  it('are edited as a list, with what the service refuses', async () => {
    await page.goto(`${stage.pageUrl}/workflows`);
    await page.getByRole('link', { name: 'shop', exact: true }).click();
    await page.getByRole('button', { name: 'Edit approvals' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approvals of shop' });
    await dialog.getByLabel('Rules').fill('[{ "action": "APPROVAL_ACTION_ANSWER" }]');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('would agree to anything').waitFor();
    await dialog
      .getByLabel('Rules')
      .fill('[{ "action": "APPROVAL_ACTION_REFUSE", "command": { "exact": "npm publish" } }]');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('list', { name: 'Approvals of shop' })
      .getByText('refuse: command exactly “npm publish”')
      .waitFor();
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
  });
});
