import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { faultsFoundByAxe, faultsInEachLook } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

describe('the terminal of an agent on the page', () => {
  let stage: Stage;
  let page: Page;
  let asking: string;
  before(async () => {
    stage = await setStage();
    asking = await stage.launch('login-expiry', 'ask whether the session check may be edited');
    await stage.until(asking, 'WAITING');
    page = await stage.open(`/agents/${asking}/pane`);
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const terminal = () => page.getByRole('region', { name: 'Terminal of login-expiry' });
  /** What it shows, as a screen reader reads it; and as xterm draws it. */
  const text = () => terminal().locator('pre').textContent();
  const drawn = () => terminal().locator('.xterm-rows').textContent();
  const shows = (words: string | RegExp) =>
    moment(`the terminal to show ${words}`, async () => {
      const [read, seen] = await Promise.all([text(), drawn()]);
      return [read, seen].every((one) => (one ?? '').replaceAll('\u00a0', ' ').search(words) >= 0);
    });
  const marked = () => terminal().locator('.evidence-row').count();
  const stateOf = async () => {
    const { agent } = await stage.call<{ agent: { agent: { state: string; heldAt?: string } } }>('GetAgent', {
      agentId: asking,
    });
    return agent.agent;
  };

  it('is live, with the evidence of the state marked, and explains it', async () => {
    await shows('Do you want to make this edit');
    expect(await marked()).to.be.at.least(1);
    const why = page.getByRole('complementary');
    await why.getByText('scripted/', { exact: false }).first().waitFor();
    expect(await why.getByText('Waiting').first().isVisible()).to.equal(true);
    await why.getByText('Rejected rules').waitFor();
    await page.getByRole('button', { name: '1 Yes' }).waitFor();
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await moment('the CLI’s pointer to be seen to move', async () => {
      await stage.call('AnswerAgent', { agentId: asking, screenDigest: await digest(), keys: ['Down'] });
      return true;
    });
    await shows('❯ 2. Yes, and allow all edits');
  });

  const digest = async () => (await stage.call<{ screenDigest: string }>('ReadPane', { agentId: asking })).screenDigest;

  it('answers the selection that is shown', async () => {
    // The pointer has just moved: a new question is answered only once it was visible.
    await moment('it to be answered', async () => {
      await page.getByRole('button', { name: '2 Yes, and allow all edits this session' }).click();
      return (await page.getByRole('alert').count()) === 0;
    });
    await shows('esc to interrupt');
    await stage.until(asking, 'THINKING');
    await page.getByRole('complementary').getByText('Thinking').first().waitFor();
  });

  it('shows past transitions, each with its screen and evidence, by keyboard and by mouse', async () => {
    await page.keyboard.press('ArrowLeft');
    await page.getByText('As it was then').waitFor();
    await page.keyboard.press('ArrowLeft');
    await moment('a move to Waiting', async () => {
      if ((await page.locator('.timeline-said output').textContent())?.includes('→ Waiting')) return true;
      await page.keyboard.press('ArrowLeft');
      return false;
    });
    await shows('❯ 1. Yes');
    expect(await marked()).to.be.at.least(1);
    await page.keyboard.press('l');
    await page.getByText('As it was then').waitFor({ state: 'detached' });
    await shows('esc to interrupt');
    const slider = page.getByRole('slider', { name: 'Transition to show' });
    await slider.focus();
    await page.keyboard.press('Home');
    expect(await slider.getAttribute('aria-valuetext')).to.match(/^1\. Setting up →/);
    await page.getByRole('button', { name: 'Back to now' }).click();
  });

  it('accepts no key before a takeover, then types in a red frame, and releases the agent', async () => {
    await terminal().click();
    await page.keyboard.type('x');
    expect((await stateOf()).heldAt ?? '').to.equal('');
    await page.keyboard.press('t');
    await page.getByText('You type into login-expiry').waitFor();
    expect((await stateOf()).heldAt).to.match(/^20/);
    await stage.until(asking, 'IDLE');
    await page.keyboard.type('a draft; of "mine"');
    await shows('❯ a draft; of "mine"');
    const frame = await page.evaluate<string>(
      'getComputedStyle(document.querySelector(".pane-terminal")).borderTopColor',
    );
    expect(frame).to.equal('rgb(255, 77, 66)');
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await page.keyboard.press('Enter');
    await shows('● Done.');
    await page.keyboard.press('Shift+Escape');
    await page.getByText('You type into login-expiry').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Type into it' }).waitFor();
    await page.getByRole('button', { name: 'Give back' }).click();
    await page.getByRole('button', { name: 'Take over' }).waitFor();
    expect((await stateOf()).heldAt ?? '').to.equal('');
  });

  inSoak('copies a selection, and then passes Ctrl C to the program again', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.pageUrl });
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    const choose = async () => {
      const row = terminal().locator('.xterm-rows > div').filter({ hasText: 'Done.' }).first();
      const box = await row.boundingBox();
      if (box === null) throw new Error('the row is not drawn');
      await page.mouse.move(box.x + 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + 120, box.y + box.height / 2, { steps: 4 });
      await page.mouse.up();
    };
    await choose();
    await page.keyboard.press('Control+c');
    await moment('it to be copied', async () => (await clipboard()).startsWith('● Done.'));
    await page.evaluate(`navigator.clipboard.writeText('')`);
    await page.keyboard.press('t');
    await page.getByText('You type into login-expiry').waitFor();
    await choose();
    await page.keyboard.press('Control+c');
    await moment('it to be copied while typing', async () => (await clipboard()).startsWith('● Done.'));
    expect(await terminal().locator('.xterm-selection div').count()).to.equal(0);
  });

  inSoak('reports a release by somebody else, and keeps further typing from the page’s keys', async () => {
    await stage.call('UnholdAgent', { agentId: asking });
    await page.getByText('was given back elsewhere').waitFor();
    await page.keyboard.type('tpv');
    await page.getByRole('button', { name: 'Take over' }).waitFor();
    expect((await stateOf()).heldAt ?? '').to.equal('');
    expect(page.url()).to.match(/\/pane$/);
    expect(await page.locator('#prompt').inputValue()).to.equal('');
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });

  inSoak('shows colours beyond the palette', async () => {
    const request = { name: 'bash', cwd: stage.pieces.repository, harness: 'shell' };
    const { workflow } = await stage.call<{ workflow: { id: string } }>(
      'workflow.v1.WorkflowService/CreateWorkflow',
      request,
    );
    const prompt = String.raw`printf '\033[38;2;255;120;0mtrue\033[0m colour\n'`;
    const painter = await stage.launch('painter', prompt, { workflowId: workflow.id });
    await stage.until(painter, 'IDLE');
    const own = await stage.open(`/agents/${painter}/pane`);
    await own.locator('.xterm-rows span').getByText('true', { exact: true }).waitFor();
    const colour = await own.evaluate<string>(
      `getComputedStyle([...document.querySelectorAll('.xterm-rows span')].find((one) => one.textContent === 'true')).color`,
    );
    expect(colour).to.equal('rgb(255, 120, 0)');
    await own.context().close();
  });

  it('reports that the host is offline', async () => {
    await stage.pieces.halt('host');
    await page.reload();
    await page.getByRole('alert').getByText('does not answer: start `muster host`').waitFor();
    await stage.pieces.start('host');
    await shows('Done.');
  });

  inSoak('continues after the host returned', async () => {
    await stage.pieces.kill('gateway');
    await page.getByText('Connection lost.').waitFor();
    await stage.pieces.start('gateway');
    await page.getByText('live', { exact: true }).waitFor();
    await stage.call('PromptAgent', { agentId: asking, prompt: 'work on it again' });
    await shows('work on it again');
  });

  inSoak('shows the last known screen if the agent has no window', async () => {
    await stage.call('ArchiveAgent', { agentId: asking });
    await page.getByText('It has no window').waitFor();
    await moment('the last screen', async () => ((await text()) ?? '').includes('●'));
    await stage.call('RestoreAgent', { agentId: asking });
    await page.getByText('It has no window').waitFor({ state: 'detached', timeout: 30_000 });
  });

  it('passes axe in light, dark and on a phone, and lists its keys', async () => {
    expect(await faultsInEachLook(page)).to.deep.equal([]);
    await page.keyboard.press('?');
    await page.getByText('take the agent over and type').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('treegrid').waitFor();
    expect(page.url()).to.match(/\/agents\/agt_\w+$/);
  });

  it('reports that its CLI is newer than the rules, beside the list and beside the terminal', async () => {
    const file = join(stage.pieces.home, 'rules', 'scripted.json');
    const rules = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...rules, recordedWith: '1.0.0' }));
    const newer = `rules recorded with 1.0.0, this is ${process.versions.node}`;
    await page.getByText(`(${newer})`).waitFor();
    await page.goto(`${page.url()}/pane`);
    await page.getByRole('complementary').getByText(newer).waitFor();
  });
});
