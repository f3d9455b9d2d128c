import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { PersonTerminal } from '#test/cli/person-terminal.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { skipWithoutPty } from '#test/world/embedded-fixture.ts';
import { faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

describe('answers on the page', () => {
  let stage: Stage;
  let page: Page;
  let shell: string;
  before(async () => {
    stage = await setStage();
    const request = { name: 'bash', cwd: stage.pieces.repository, harness: 'shell' };
    const method = 'workflow.v1.WorkflowService/CreateWorkflow';
    shell = (await stage.call<{ workflow: { id: string } }>(method, request)).workflow.id;
    page = await stage.open();
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const panel = (name: string) => page.getByRole('complementary', { name: `Agent ${name}` });
  const screenOf = async (agentId: string) =>
    (await stage.call<{ screen: { text: string } }>('ReadPane', { agentId })).screen.text;
  const prints = (agentId: string, text: string) => moment(text, async () => (await screenOf(agentId)).includes(text));
  const openAt = async (title: string, prompt: string, more: object = {}) => {
    const id = await stage.launch(title, prompt, more);
    await stage.until(id, 'WAITING');
    await page.goto(`${stage.pageUrl}/agents/${id}`);
    await panel(title).getByText('Needs your answer').waitFor();
    return id;
  };

  /** How much of a screen is below what is shown of it, in pixels. */
  const hiddenOf = (name: string) =>
    panel(name)
      .locator('.screen')
      .evaluate((screen) => {
        const all = screen.firstElementChild?.getBoundingClientRect().bottom ?? Number.NaN;
        return all - screen.getBoundingClientRect().bottom;
      });

  inSoak('type a name, a hidden password, and a yes with its Enter', async () => {
    const script = `read -p 'Your name? ' a; read -sp 'Password: ' b; echo; read -p 'Go on? [y/N] ' c; read -p 'Sure (yes/no)? ' d; echo "<$a|$b|$c|$d>"`;
    const id = await openAt('namer', script, { workflowId: shell });
    await panel('namer').getByText('Your name?', { exact: true }).waitFor();
    await panel('namer').getByRole('textbox', { name: 'Type an answer' }).waitFor();
    // Written on the screen it goes into the line as well.
    const shown = panel('namer').getByRole('region', { name: 'The screen of namer' });
    await shown.getByText('Your name?').waitFor();
    await shown.focus();
    await page.keyboard.type('Ada Lovelace');
    await page.keyboard.press('Enter');
    const secret = panel('namer').locator('input[type=password]');
    await secret.waitFor();
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await secret.fill('s3cret; "x"');
    await moment('the password to be taken', async () => {
      if (await panel('namer').getByText('Go on?', { exact: true }).isVisible()) return true;
      // What is not taken stays in the field, which goes away once it is.
      const value = await secret.inputValue({ timeout: 1_000 }).catch(() => '');
      if (value !== '') await secret.press('Enter', { timeout: 1_000 }).catch(() => undefined);
      return false;
    });
    await moment('the yes to be taken', async () => {
      if (await panel('namer').getByText('Sure', { exact: true }).isVisible()) return true;
      await panel('namer').getByRole('button', { name: 'Yes', exact: true }).click();
      return false;
    });
    // If the word must be typed out, its key types it.
    await moment('the word to be taken', async () => {
      if ((await screenOf(id)).includes('|yes>')) return true;
      await shown.focus({ timeout: 1_000 }).catch(() => undefined);
      await page.keyboard.press('y');
      return false;
    });
    const rows = (await screenOf(id)).split('\n');
    expect(rows.filter((row) => row.startsWith('<'))).to.deep.equal(['<Ada Lovelace|s3cret; "x"|y|yes>']);
    const { facts } = await stage.call<{ facts: { detail: string }[] }>('fact.v1.FactService/ListFacts', {
      subjectId: id,
    });
    expect(JSON.stringify(facts)).to.not.include('s3cret');
  });

  it('trust a folder before the briefing', async () => {
    const flags = '--begins trust-80x24=Down,trustyes.second-80x24=Enter';
    const id = await openAt('truster', 'work', { flags });
    const row = page.locator('.roster-row').filter({ has: page.getByRole('link', { name: 'truster', exact: true }) });
    await row.getByText('trust').first().waitFor();
    await panel('truster').getByText('❯ No, exit').waitFor();
    await panel('truster').getByRole('button', { name: 'Down' }).click();
    await panel('truster').getByText('❯ Yes, I trust this folder').waitFor();
    expect(await screenOf(id)).not.to.include('Pondering');
    await panel('truster').getByRole('button', { name: 'Enter' }).click();
    await stage.until(id, 'THINKING');
    await prints(id, 'Pondering…');
  });

  inSoak('fill each step of a form that the person sees', async () => {
    const form = 'ask2.ask-80x24=1,ask2.second-80x24=2,ask2.review-80x24=Enter';
    const id = await openAt('former', `form ${form}`);
    const steps = [
      ['Which storage should the lab use?', '1 Postgres'],
      ['Which test runner?', '2 node:test'],
      ['Review your answers', 'Enter'],
    ] as const;
    for (const [at, [question, answer]] of steps.entries()) {
      await panel('former').getByText(question).first().waitFor();
      expect(await hiddenOf('former'), 'the end of its screen').to.be.below(1);
      const next = steps[at + 1]?.[0] ?? '● Done.';
      await moment(`the form to go on to ${next}`, async () => {
        if ((await screenOf(id)).includes(next)) return true;
        // One that has come in this moment takes no answer yet, and the page says so.
        await panel('former').getByRole('button', { name: answer, exact: true }).click();
        return false;
      });
    }
    await stage.until(id, 'IDLE');
  });

  it('fill each step of a form in one’s own terminal, with its keys', async function () {
    skipWithoutPty.call(this);
    const form = 'ask2.ask-80x24=1,ask2.second-80x24=2,ask2.review-80x24=Enter';
    const id = await stage.launch('typed', `form ${form}`);
    await stage.until(id, 'WAITING');
    const terminal = new PersonTerminal();
    try {
      const { home, url } = stage.pieces;
      const { shows, answer } = await terminal.open(['answer', 'typed'], {
        MUSTER_HOME: home,
        MUSTER_URL: url,
        HOME: home,
      });
      await shows('Which storage should the lab use?');
      await answer('1', [], 'Which test runner?');
      await answer('2', [], 'Review your answers');
      await answer('', ['Enter'], '; now ');
    } finally {
      await terminal.close();
    }
    await stage.until(id, 'IDLE');
  });

  inSoak('are chosen by digit wherever the focus is, except in a text field', async () => {
    const id = await openAt('digit', 'ask first');
    await panel('digit').getByRole('button', { name: '2 Yes, and allow' }).waitFor();
    await page.keyboard.press('p');
    await page.keyboard.type('3');
    await moment('the digit in the prompt', async () => (await page.locator('#prompt').inputValue()) === '3');
    await page.keyboard.press('Escape');
    await page.keyboard.press('2');
    await prints(id, '● Yes, and allow all edits this session.');
    const other = await stage.launch('digit-there', 'ask first');
    await stage.until(other, 'WAITING');
    await page.goto(`${stage.pageUrl}/agents/${other}/pane`);
    await page.getByRole('button', { name: '3 No' }).waitFor();
    await page.keyboard.press('3');
    await prints(other, '● No, and tell it what to do');
  });

  it('wait at the question for which they were given', async () => {
    const id = await openAt('chooser', 'ask first');
    await panel('chooser').getByText('❯ 1. Yes').waitFor();
    await page.keyboard.press('a');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await prints(id, '● Yes, and allow all edits this session.');
  });

  it('never answer a question that the person did not see, and report that', async () => {
    const id = await openAt('twice', 'both');
    await panel('twice').getByText('❯ 1. Yes').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('1');
    await page.keyboard.press('1');
    await panel('twice').getByRole('alert').waitFor();
    await panel('twice').getByText('npm run deploy').first().waitFor();
    expect((await screenOf(id)).split('● Yes.').length - 1).to.equal(1);
  });
});
