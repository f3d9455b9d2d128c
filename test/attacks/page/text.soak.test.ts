import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { asAgent } from '#test/page/as-agent.ts';
import { type Stage, setStage } from '#test/page/stage.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';

/** Characters that turn the order of letters around or cannot be seen, each by its number. */
const veils = [
  0x202e, 0x202a, 0x202d, 0x202c, 0x2066, 0x2067, 0x2068, 0x2069, 0x61c, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060,
  0xfeff, 0xad, 0x34f, 0x180e, 0x115f, 0x1160, 0x3164, 0xffa0, 0xe0001, 0xe0041, 0xe007f, 0xe0100,
];
const controls = [0x1, 0x7, 0x8, 0xb, 0x1b, 0x7f, 0x9b, 0x2028, 0x2029];
const textOf = (numbers: readonly number[]): string => String.fromCodePoint(...numbers);
const [veiled, steering] = [textOf(veils), textOf([...veils, ...controls])];

/** All visible and spoken text on the page that contains one of them, with the code points. */
const findRaw = `(() => {
  const unsafe = new Set(${JSON.stringify([...veils, ...controls, 0xd])});
  const rawIn = (text) => Array.from(text ?? '', (one) => one.codePointAt(0)).filter((number) => unsafe.has(number));
  const found = [];
  const look = (where, text) => {
    const raw = rawIn(text);
    if (raw.length > 0) found.push(where + ': ' + raw.map((number) => number.toString(16)).join(' '));
  };
  look('title of the document', document.title);
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) look('text in ' + node.parentElement?.outerHTML.slice(0, 80), node.data);
    else for (const { name, value } of node.attributes) {
      if (/^(aria-.*|title|alt|placeholder|label)$/.test(name)) look(name + ' of ' + node.localName, value);
    }
    if (node instanceof HTMLInputElement && node.readOnly) look('value of ' + node.localName, node.value);
  }
  return found;
})()`;

const file = 'src/\u202etxt\u2066\u200b.ts';
const shownFile = 'src/\\u202etxt\\u2066\\u200b.ts';
const lines = [
  "const access = 'user\u202e \u2066// only admins\u2069 \u2066';",
  `const note = '${steering}'; // a comment\rthat goes on`,
  'export const last = 1;',
];
const better = [lines[0]?.replace('user', 'us\u200ber') ?? '', ...lines.slice(1)];

interface Thread {
  readonly filePath: string;
  readonly quotedLines: string[];
  readonly messages: { readonly suggestion?: string[] }[];
}

describe('deceptive characters', () => {
  let stage: Stage;
  let page: Page;
  let agentId = '';
  let worktree = '';
  const paths = { mail: '', schedule: '' };

  before(async () => {
    stage = await setStage();
    const setup = `printf '%s\\n' 'of the script ${veiled}'`;
    const { workflows } = await stage.call<{ workflows: { id: string }[] }>(
      'workflow.v1.WorkflowService/ListWorkflows',
      {},
    );
    const workflowId = workflows[0]?.id ?? '';
    const change = { workflowId, name: `shop ${steering}`, scripts: { setup } };
    await stage.call('workflow.v1.WorkflowService/UpdateWorkflow', change);
    agentId = await stage.launch(`login \u202e${veiled}`, `ask \u202ewhether\u200b it may\nand ${veiled}`);
    await stage.until(agentId, 'WAITING');
    await stage.call('RenameAgent', { agentId, name: `login ${steering}` });
    const { agent } = await stage.call<{ agent: { agent: { cwd: string } } }>('GetAgent', { agentId });
    worktree = agent.agent.cwd;
    const as = <T>(method: string, request: object) => asAgent<T>(stage, agentId, method, request);
    await as('ReportReason', { reason: `reported ${veiled}` });
    await as('RecordMetadata', { metadata: [{ key: 'ticket', value: `value ${steering}` }] });
    const letter = { agentId, subject: `subject ${veiled}`, body: `body ${steering}\nsecond\tline` };
    const { mail } = await stage.call<{ mail: { id: string } }>('SendMail', letter);
    paths.mail = `/mail/${mail.id}`;
    const nightly = { cron: '0 2 * * *', timezone: 'Europe/Paris', workflowId };
    const { schedule } = await stage.call<{ schedule: { id: string } }>('schedule.v1.ScheduleService/CreateSchedule', {
      ...nightly,
      name: `nightly ${veiled}`,
      prompt: `prompt ${steering}`,
    });
    paths.schedule = `/schedules/${schedule.id}`;
    mkdirSync(join(worktree, 'src'));
    writeFileSync(join(worktree, file), `${lines.join('\n')}\n`);
    await stage.call('StartReviewRound', { agentId });
    writeFileSync(join(worktree, file), `${better.join('\n')}\n`);
    await stage.call('StartReviewRound', { agentId });
    await stage.call('CreateReviewThread', {
      agentId,
      filePath: file,
      newStart: 3,
      newEnd: 3,
      quotedLines: [`+${better[2]}`],
      body: `a thread ${steering}`,
      suggestion: [`export const first = '${veiled}';`],
    });
    page = await stage.open();
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  /** Goes to a screen, waits until it shows a text, and takes a look at all that it shows and says. */
  async function isClear(path: string, shown: string): Promise<void> {
    await page.goto(`${stage.pageUrl}${path}`);
    await page.getByText(shown).first().waitFor({ state: 'attached' });
    expect(await page.evaluate(findRaw), path).to.deep.equal([]);
  }
  const comment = () => page.getByRole('button', { name: `Comment on line 1 of ${shownFile}` });
  const threads = async () => (await stage.call<{ threads: Thread[] }>('ListReviewThreads', { agentId })).threads;

  it('appear as escapes in lists, in an agent’s details, and in dialogs', async () => {
    await isClear('/', 'login \\u200b');
    await isClear(`/agents/${agentId}`, 'value \\u202e');
    expect(await page.locator('body').textContent())
      .to.contain('\\udb40\\udc01')
      .and.to.contain('\\u3164');
    await page.keyboard.press('n');
    await page.getByRole('dialog').getByText('shop \\u200b').first().waitFor({ state: 'attached' });
    expect(await page.evaluate(findRaw), 'the dialog').to.deep.equal([]);
  });

  inSoak('stand as escapes in mail, schedules, runs and lives, and line breaks stay', async () => {
    await isClear('/mail', 'subject \\u202e');
    await isClear(paths.mail, 'body \\u202e');
    expect(await page.getByRole('complementary').getByText('body \\u202e').textContent()).to.match(/\nsecond\tline$/);
    await isClear('/schedules', 'nightly \\u200b');
    await isClear(paths.schedule, 'prompt \\u202e');
    await isClear('/runs', 'of the script \\u202e');
    await isClear(`/machines/agent?id=${agentId}`, 'login \\u200b');
    await isClear('/hosts', 'Hosts');
    await isClear('/doctor', 'Doctor');
  });

  it('appear as escapes on live and stored screens, in colour and for a screen reader', async () => {
    // A terminal has no cell for a blank without width, and draws the same without it.
    const [drawn, read] = ['ask \\u202ewhether it may', 'ask \\u202ewhether\\u200b it may'];
    const isShown = () =>
      moment(`the terminal to show ${read}`, async () => {
        const terminal = page.getByRole('region', { name: 'Terminal of login' });
        const rows = (await terminal.locator('.xterm-rows').textContent()) ?? '';
        const text = (await terminal.locator('pre').textContent()) ?? '';
        return rows.replaceAll('\u00a0', ' ').includes(drawn) && text.includes(read);
      });
    await isClear(`/agents/${agentId}/pane`, 'Do you want to make this edit');
    await isShown();
    expect(await page.evaluate(findRaw), 'now').to.deep.equal([]);
    await page.getByRole('region', { name: 'Transitions' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('As it was then').waitFor();
    await isShown();
    expect(await page.evaluate(findRaw), 'then').to.deep.equal([]);
  });

  it('appear as escapes in a diff with its colours and marks, in file names, threads and suggestions', async () => {
    await isClear(`/agents/${agentId}/review`, 'a thread \\u202e');
    const region = page.getByRole('region', { name: shownFile });
    await region.locator('.hunk .token.keyword', { hasText: 'const' }).first().waitFor();
    await page.locator('.suggestion .token.string', { hasText: '\\u202e' }).first().waitFor();
    await page.getByRole('navigation', { name: 'Files' }).getByText(shownFile).waitFor();
    await page.getByLabel('Compared with').selectOption({ label: 'round 1' });
    await region.locator('.hunk .diff-code-edit', { hasText: '\\u200b' }).first().waitFor();
    const shown = "const access = 'us\\u200ber\\u202e \\u2066// only admins\\u2069 \\u2066';";
    expect(await region.locator('.hunk .diff-code-insert').first().textContent()).to.equal(shown);
    await region.getByText('a comment\\rthat goes on').first().waitFor();
    expect(await page.evaluate(findRaw)).to.deep.equal([]);
    await page.getByRole('checkbox', { name: 'Side by side' }).check();
    await page.locator('.diff-split').first().waitFor();
    expect(await page.evaluate(findRaw), 'side by side').to.deep.equal([]);
    await page.getByRole('checkbox', { name: 'Side by side' }).uncheck();
  });

  inSoak('are sent back, suggested and applied as they truly are', async () => {
    await page.goto(`${stage.pageUrl}/agents/${agentId}/review`);
    await comment().focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Comment on line 1', { exact: true }).fill('Say it plainly.');
    await page.getByRole('button', { name: 'Suggest a change' }).click();
    const field = page.getByLabel('Replace these lines with');
    expect(await field.inputValue()).to.equal(better[0]);
    await field.press('Control+End');
    await field.pressSequentially(' // seen');
    await page.getByRole('button', { name: 'Comment Ctrl' }).click();
    const card = page.getByRole('article').filter({ hasText: 'Say it plainly.' });
    await card.waitFor();
    const written = (await threads()).find(({ quotedLines }) => quotedLines[0]?.includes('access'));
    expect(written?.filePath).to.equal(file);
    expect(written?.quotedLines).to.deep.equal([`+${better[0]}`]);
    expect(written?.messages[0]?.suggestion).to.deep.equal([`${better[0]} // seen`]);
    await card.getByRole('button', { name: 'Apply the suggestion' }).click();
    await page.getByText(`${shownFile}, lines 1 to 1`).waitFor();
    expect(await page.evaluate(findRaw), 'the notice').to.deep.equal([]);
    const applied = [`${better[0]} // seen`, ...better.slice(1)];
    expect(readFileSync(join(worktree, file), 'utf8')).to.equal(`${applied.join('\n')}\n`);
  });
});
