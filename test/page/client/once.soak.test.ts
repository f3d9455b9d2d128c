import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Stage, setStage } from '../stage.ts';
import { passedOn } from './passed-on.ts';

interface Listed {
  readonly agents: readonly {
    readonly agent: { readonly id: string; readonly name: string; readonly prompt: string };
  }[];
}

describe('acts that are repeated, or whose answer is lost', () => {
  let stage: Stage;
  let page: Page;
  let id: string;
  const calls: string[] = [];
  before(async () => {
    stage = await setStage();
    id = await stage.launch('calm', 'rest');
    await stage.until(id, 'IDLE');
    page = await stage.open(`/agents/${id}`);
    page.on('request', (request) => void calls.push(request.url().split('/').at(-1) ?? ''));
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const called = (method: string) => calls.filter((one) => one === method).length;
  const listed = async () => (await stage.call<Listed>('ListAgents', {})).agents.map(({ agent }) => agent);
  const atOnce = (...keys: string[]) => Promise.all(keys.map((key) => page.keyboard.press(key)));
  const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true });
  /** Lets a call get through and loses its answer. */
  const loseAnswer = (method: string) =>
    page.route(
      `**/${method}`,
      async (route) => {
        await passedOn(route);
        await route.abort('connectionreset');
      },
      { times: 1 },
    );

  it('type a prompt once, however fast Enter is pressed again', async () => {
    await page.locator('#prompt').fill('said once');
    await atOnce('Enter', 'Enter', 'Enter');
    await page.getByText('calm accepted the prompt').waitFor();
    expect(called('PromptAgent')).to.equal(1);
    await page.locator('#prompt').blur();
  });

  it('happen once for a key that is pressed twice', async () => {
    await atOnce('h', 'h');
    await page.getByRole('button', { name: 'Give back' }).waitFor();
    expect(called('HoldAgent')).to.equal(1);
    await page.getByRole('button', { name: 'Give back' }).click();
    await page.getByRole('button', { name: 'Hold' }).waitFor();
  });

  it('never claim that nothing was done after a lost answer to a prompt', async () => {
    await loseAnswer('PromptAgent');
    await page.locator('#prompt').fill('typed all the same');
    await page.keyboard.press('Enter');
    const said = page.locator('form.prompt').getByRole('alert');
    await said.getByText('it may have been done, or not').waitFor();
    const { screen } = await stage.call<{ screen: { text: string } }>('ReadPane', { agentId: id });
    expect(screen.text).to.include('typed all the same');
    expect(await page.locator('#prompt').inputValue()).to.equal('typed all the same');
    await page.locator('#prompt').fill('');
    await page.locator('#prompt').blur();
  });

  it('keep the unsent text of each agent while others are shown', async () => {
    await page.locator('#prompt').fill('not finished yet');
    await page.locator('#prompt').blur();
    await page.getByRole('link', { name: 'Hosts' }).click();
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('link', { name: 'calm', exact: true }).click();
    expect(await page.locator('#prompt').inputValue()).to.equal('not finished yet');
    await page.locator('#prompt').fill('');
    await page.locator('#prompt').blur();
  });

  it('launch once for a repeated request, and again for a changed one', async () => {
    await page.keyboard.press('n');
    await loseAnswer('CreateAgent');
    await field('Prompt').fill('work as first written');
    await field('Name').fill('first');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').getByRole('alert').getByText('it may have been done').waitFor();
    await page.getByRole('button', { name: 'Launch', exact: true }).last().click();
    await page.getByRole('heading', { name: 'first', exact: true }).waitFor();
    expect((await listed()).filter(({ name }) => name.startsWith('first'))).to.have.length(1);
    await page.keyboard.press('n');
    await loseAnswer('CreateAgent');
    await field('Prompt').fill('work as first written');
    await field('Name').fill('second');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').getByRole('alert').getByText('it may have been done').waitFor();
    await field('Prompt').fill('work as it was changed');
    await field('Name').fill('third');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'third', exact: true }).waitFor();
    expect((await listed()).find(({ name }) => name === 'third')?.prompt).to.equal('work as it was changed');
  });

  it('show a refused launch at the invalid field, and keep the input', async () => {
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'Launch an agent' });
    await field('Prompt').fill('work elsewhere');
    await dialog.getByText('Harness, directory, host, parent').click();
    await dialog.getByRole('textbox', { name: 'Flags' }).fill('--open "quote');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('a quote that is not closed').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Flags' }).getAttribute('aria-invalid')).to.equal('true');
    await dialog.getByRole('textbox', { name: 'Flags' }).fill('');
    await dialog.getByLabel('Directory', { exact: true }).fill('/nowhere/at/all');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('/nowhere/at/all').waitFor();
    expect(await dialog.getByLabel('Directory', { exact: true }).getAttribute('aria-invalid')).to.equal('true');
    expect(await field('Prompt').inputValue()).to.equal('work elsewhere');
    await dialog.getByLabel('Directory', { exact: true }).fill('');
    await dialog.getByLabel('Harness').selectOption('shell');
    await dialog.getByLabel('Works', { exact: true }).selectOption({ label: 'in the directory itself' });
    await dialog.getByLabel('Host').selectOption({ index: 1 });
    await field('Prompt').fill('true');
    await field('Name').fill('a shell');
    await dialog.getByRole('button', { name: 'Launch' }).click();
    await page.getByRole('heading', { name: 'a shell' }).waitFor();
    const shell = (await listed()).find(({ name }) => name === 'a shell');
    expect(shell).to.include({ harness: 'shell', cwd: stage.pieces.repository });
  });

  it('launch a child at its parent’s place', async () => {
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'Launch an agent' });
    await field('Prompt').fill('work as a child');
    await field('Name').fill('child');
    await dialog.getByText('Harness, directory, host, parent').click();
    await dialog.getByLabel('Parent').selectOption({ label: 'calm' });
    expect(await dialog.getByLabel('Directory', { exact: true }).isDisabled()).to.equal(true);
    await dialog.getByRole('button', { name: 'Launch' }).click();
    await page.getByRole('heading', { name: 'child', exact: true }).waitFor();
    expect((await listed()).find(({ name }) => name === 'child')).to.include({ parentAgentId: id });
  });
});
