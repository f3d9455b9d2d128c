import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Workflow } from '#contract/workflow.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import type { Stage } from '../stage.ts';

interface Pane {
  readonly screen: { readonly text: string };
  readonly screenDigest: string;
}

/** Tests what a person does to agents from the list, on a stage whose agents it deletes. */
export function testActs(stageOf: () => Stage): void {
  describe('acts on agents from the page', () => {
    let stage: Stage;
    let page: Page;
    const ids = { mouse: '', keys: '', other: '' };
    before(async () => {
      stage = stageOf();
      await stage.clear();
      // Nothing is done in their worktrees, which git would make and keep.
      const more = { provisionEnabled: false };
      ids.mouse = await stage.launch('by-mouse', 'ask with the mouse', more);
      ids.keys = await stage.launch('by-keys', 'ask with the keys', more);
      ids.other = await stage.launch('other', 'work: something else', more);
      await stage.until(ids.mouse, 'WAITING');
      await stage.until(ids.keys, 'WAITING');
      await stage.until(ids.other, 'THINKING');
      page = await stage.open();
    });
    after(() => page?.context().close());
    afterEach(() => expect(stage.faults).to.deep.equal([]));

    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    const open = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name }).waitFor();
    };
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const paneOf = (agentId: string) => stage.call<Pane>('ReadPane', { agentId });
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };

    it('show the selection as on the screen, and answer it by mouse', async () => {
      await open('by-mouse');
      const shown = page.getByRole('region', { name: 'The screen of by-mouse' });
      await shown.getByText('Do you want to make this edit to login.ts?').waitFor();
      const [onScreen = ''] = (await paneOf(ids.mouse)).screen.text.match(/❯ 1\. Yes/) ?? [];
      expect(await shown.textContent())
        .to.include(onScreen)
        .and.to.include('2. Yes, and allow all edits');
      await button('1 Yes').click();
      await row('by-mouse').getByText('Thinking').waitFor();
      expect((await paneOf(ids.mouse)).screen.text).to.include('● Yes.');
    });

    it('answer nothing if the screen has changed, and show the new one', async () => {
      // Changes of the screen are reported, so it can differ only if the report is late.
      await page.route('**/WatchPane', (route) => route.abort());
      await open('by-keys');
      const shown = page.getByRole('region', { name: 'The screen of by-keys' });
      await shown.getByText('❯ 1. Yes').waitFor();
      const { screenDigest } = await paneOf(ids.keys);
      await stage.call('AnswerAgent', { agentId: ids.keys, screenDigest, keys: ['Down'] });
      await button('3 No, and tell it').click();
      const refusal = page.getByRole('alert').filter({ hasText: 'screen' });
      await refusal.waitFor();
      await shown.getByText('❯ 2. Yes, and allow').waitFor();
      expect((await paneOf(ids.keys)).screen.text).to.include('Do you want to make this edit');
      await page.unroute('**/WatchPane');
    });

    it('show the selection as it moves, whoever moves it', async () => {
      await press('Escape');
      await open('by-keys');
      const shown = page.getByRole('region', { name: 'The screen of by-keys' });
      for (const [key, line] of [
        ['Up', '❯ 1. Yes'],
        ['Down', '❯ 2. Yes, and allow'],
      ] as const) {
        const { screenDigest } = await paneOf(ids.keys);
        await stage.call('AnswerAgent', { agentId: ids.keys, screenDigest, keys: [key] });
        await shown.getByText(line).waitFor({ timeout: 4_000 });
      }
    });

    it('answer nothing while the screen is changing', async () => {
      const shown = page.getByRole('region', { name: 'The screen of by-keys' });
      await shown.getByText('❯ 2. Yes, and allow').waitFor();
      let answers = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/AnswerAgent')) answers += 1;
      });
      await page.evaluate(`
        new MutationObserver((_changes, watching) => {
          watching.disconnect();
          document.querySelector('.choices button').click();
        }).observe(document.querySelector('.answer .screen'), { subtree: true, characterData: true, childList: true });
      `);
      const { screenDigest } = await paneOf(ids.keys);
      await stage.call('AnswerAgent', { agentId: ids.keys, screenDigest, keys: ['Up'] });
      await page.getByRole('alert').filter({ hasText: 'has just changed' }).waitFor();
      expect(answers).to.equal(0);
      await moment('it to be answered once it was seen', async () => {
        await page.getByRole('button', { name: 'Down', exact: true }).click();
        return (await page.getByRole('alert').count()) === 0;
      });
      await shown.getByText('❯ 2. Yes, and allow').waitFor();
      await moment('the next key to be taken', () => button('Up').isEnabled());
    });

    it('answer by keyboard, key by key', async () => {
      await press('a');
      const shown = page.getByRole('region', { name: 'The screen of by-keys' });
      await shown.and(page.locator(':focus')).waitFor();
      await press('ArrowDown');
      await shown.getByText('❯ 3. No, and tell it').waitFor();
      await moment('the next key to be taken', () => button('Up').isEnabled());
      await press('Enter');
      await row('by-keys').getByText('Idle').waitFor();
      expect((await paneOf(ids.keys)).screen.text).to.include('● No, and tell it what to do differently.');
      await moment('the title to count nobody', async () => (await page.title()) === 'muster');
    });

    it('prompt and interrupt by keyboard', async () => {
      await press('p');
      await page.keyboard.type('work on the other half');
      await press('Enter');
      await page.getByText('by-keys accepted the prompt').waitFor();
      await row('by-keys').getByText('Thinking').waitFor();
      expect(await page.getByLabel('Prompt', { exact: false }).inputValue()).to.equal('');
      await press('Escape', 'i');
      await row('by-keys').getByText('Idle').waitFor();
      expect((await paneOf(ids.keys)).screen.text).to.include('Interrupted');
    });

    inSoak('prompt and interrupt by mouse', async () => {
      await page.getByLabel('Prompt', { exact: false }).fill('work once more');
      await button('Send').click();
      await row('by-keys').getByText('Thinking').waitFor();
      await button('Interrupt').click();
      await row('by-keys').getByText('Idle').waitFor();
    });

    it('show a refused prompt with the service’s message, and keep it', async () => {
      await stage.call('PromptAgent', { agentId: ids.keys, prompt: 'ask again' });
      await row('by-keys').getByText('Waiting').waitFor();
      await page.getByLabel('Prompt', { exact: false }).fill('too early');
      await button('Send').click();
      await page.getByRole('alert').filter({ hasText: 'waits for a person' }).waitFor();
      expect(await page.getByLabel('Prompt', { exact: false }).inputValue()).to.equal('too early');
      await page.keyboard.press('Escape');
    });

    it('hold and release, by keyboard and by mouse', async () => {
      await open('other');
      await press('h');
      await row('other').getByText('held', { exact: true }).waitFor();
      await button('Give back').click();
      await button('Hold').waitFor();
      await button('Hold').click();
      await button('Give back').waitFor();
      await press('h');
      await button('Hold').waitFor();
    });

    inSoak('archive after a question, list as archived, and restore, by mouse', async () => {
      await open('by-mouse');
      await button('Archive').click();
      await page.getByRole('dialog', { name: 'Archive by-mouse?' }).getByRole('button', { name: 'Cancel' }).click();
      await button('Archive').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
      await row('by-mouse').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Archived' }).click();
      await button('Restore by-mouse').click();
      await page.getByText('by-mouse is being restored').waitFor();
      await button('Restore by-mouse').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await row('by-mouse').waitFor();
    });

    it('archive and delete by keyboard, with the focus on the safe button', async () => {
      await open('other');
      await press('e');
      const dialog = page.getByRole('dialog', { name: 'Archive other?' });
      await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
      await press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await press('d');
      await page.getByRole('dialog', { name: 'Delete other?' }).waitFor();
      await press('Tab', 'Enter');
      await row('other').waitFor({ state: 'detached' });
    });

    it('launch by keyboard, and retry a failure', async () => {
      await press('Escape', 'n');
      const dialog = page.getByRole('dialog', { name: 'Launch an agent' });
      await dialog.getByRole('textbox', { name: 'Prompt', exact: true }).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('ask at once');
      await dialog.getByRole('combobox', { name: 'Workflow' }).selectOption({ label: 'shop (scripted)' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('launched');
      await dialog.getByRole('textbox', { name: 'Prompt', exact: true }).focus();
      await press('Control+Enter');
      await page.getByRole('heading', { name: 'launched', exact: true }).waitFor();
      await row('launched').getByText('Waiting').waitFor();
      const broken = await stage.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
        name: 'broken',
        cwd: stage.pieces.repository,
        harness: 'scripted',
        scripts: { setup: 'echo no such tool; false' },
      });
      await stage.launch('stuck', 'work', { workflowId: broken.workflow.id });
      await row('stuck').getByText('Launch failed').waitFor();
      await open('stuck');
      await button('Retry').click();
      const told = page.getByText('stuck is being retried');
      await told.waitFor();
      await told.waitFor({ state: 'detached' });
      await row('stuck').getByText('Launch failed').waitFor();
      await press('t');
      await told.waitFor();
      await row('stuck').getByText('Launch failed').waitFor();
      await page.evaluate((id) => localStorage.setItem('muster.workflow', id), broken.workflow.id);
      await press('n');
      const choice = dialog.getByRole('combobox', { name: 'Workflow' });
      await choice
        .getByRole('option', { name: 'broken (scripted: its last launch failed)' })
        .waitFor({ state: 'attached' });
      expect(await choice.locator(':checked').innerText(), 'a workflow that works').to.equal('shop (scripted)');
      await press('Escape');
    });

    inSoak('list what a new worktree lacks, and copy it on request', async () => {
      const notes = join(stage.pieces.repository, 'notes.txt');
      const data = join(stage.pieces.repository, 'data.bin');
      writeFileSync(notes, 'to do\n');
      // Empty except for its size.
      writeFileSync(data, '');
      truncateSync(data, 2 ** 31);
      appendFileSync(join(stage.pieces.repository, '.git/info/exclude'), 'data.bin\n');
      const launch = async (name: string, more: () => Promise<unknown>) => {
        await press('Escape', 'n');
        const dialog = page.getByRole('dialog', { name: 'Launch an agent' });
        await dialog.getByRole('textbox', { name: 'Prompt', exact: true }).fill('rest');
        await dialog.getByRole('combobox', { name: 'Workflow' }).selectOption({ label: 'shop (scripted)' });
        await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
        await more();
        await press('Control+Enter');
        await page.getByRole('heading', { name, exact: true }).waitFor();
        const { agents } = await stage.call<{ agents: AgentRow[] }>('ListAgents', {});
        return agents.find(({ agent }) => agent?.name === name)?.agent?.id ?? '';
      };
      await launch('lacking', () => page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).focus());
      const lacked = page.getByText(
        'Its worktree lacks 1 untracked file (notes.txt), 1 ignored path (data.bin): check',
      );
      await lacked.waitFor();
      await page.getByLabel('Notices').getByRole('button', { name: 'Dismiss' }).last().click();
      await lacked.waitFor({ state: 'detached' });
      const id = await launch('carrying', async () => {
        await page.getByText('Harness, directory, host, parent').click();
        await page.getByRole('checkbox', { name: 'with the changes, the untracked and ignored files' }).check();
        // The host completes a path while it is written, and says what it may not list.
        const directory = page.getByRole('combobox', { name: 'Directory' });
        await directory.fill(stage.pieces.repository.slice(0, -3));
        const option = page.locator(`datalist option[value="${stage.pieces.repository}"]`);
        await option.waitFor({ state: 'attached' });
        expect(await option.textContent()).to.equal('git repository');
        await directory.fill(`${stage.pieces.home}/`);
        await page.getByRole('dialog').getByText('belongs to muster').waitFor();
        await directory.fill(stage.pieces.repository);
      });
      await page.getByText('Not copied: data.bin (2.0 GiB)').waitFor();
      await stage.until(id, 'IDLE');
      const { agent } = await stage.call<{ agent: AgentRow }>('GetAgent', { agentId: id });
      expect(readFileSync(join(agent.agent?.cwd ?? '', 'notes.txt'), 'utf8')).to.equal('to do\n');
      for (const path of [notes, data]) rmSync(path);
      await press('Escape');
      await stage.call('PromptAgent', { agentId: id, prompt: 'work' });
      await stage.until(id, 'THINKING');
      await stage.call('InterruptAgent', { agentId: id });
      // A turn that ends immediately may go unnoticed.
      const turns = page.locator('.roster-row', { hasText: 'carrying' }).locator('.turns');
      await turns.getByText(/^[12] turns?$/).waitFor();
    });

    inSoak('allow a connection that an isolated agent was refused', async function () {
      if (process.platform !== 'linux') this.skip();
      const { workflow } = await stage.call<{ workflow: Workflow }>('workflow.v1.WorkflowService/CreateWorkflow', {
        ...{ name: 'walled', cwd: stage.pieces.repository, harness: 'shell', isolation: 'ISOLATION_SANDBOX' },
      });
      const curl = 'curl -sS -m 5 https://wanted.example/';
      await stage.launch('boxed', curl, { workflowId: workflow.id, provisionEnabled: false });
      await open('boxed');
      const refused = page.getByRole('listitem').filter({ hasText: 'wanted.example:443' });
      await refused.getByRole('button', { name: 'Allow' }).click();
      await refused.waitFor({ state: 'detached' });
      const allowed = await stage.call<{ workflow: Workflow }>('workflow.v1.WorkflowService/GetWorkflow', {
        workflowId: workflow.id,
      });
      expect(allowed.workflow.grants?.hosts).to.deep.equal(['wanted.example:443']);
    });

    inSoak('leave out agents that a schedule hides until they are requested', async () => {
      const { workflows } = await stage.call<{ workflows: { id: string; name: string }[] }>(
        'workflow.v1.WorkflowService/ListWorkflows',
        {},
      );
      const workflowId = workflows.find(({ name }) => name === 'shop')?.id;
      const { schedule } = await stage.call<{ schedule: { id: string } }>(
        'schedule.v1.ScheduleService/CreateSchedule',
        {
          name: 'nightly',
          cron: '0 3 1 1 *',
          workflowId,
          prompt: 'ask in the night',
          hideAgents: true,
        },
      );
      await stage.call('schedule.v1.ScheduleService/FireSchedule', { scheduleId: schedule.id });
      await button('1 hidden').click({ timeout: 30_000 });
      await row('nightly').waitFor();
      await button('1 hidden').click();
      await row('nightly').waitFor({ state: 'detached' });
    });
  });
}
