import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { outOfReach, smallLetters } from '../legible.ts';
import { phone } from '../pictures/views.ts';
import { type Stage, setStage } from '../stage.ts';

/** Dialogs, and how each is opened on the list of agents, or from there. */
const dialogs: readonly (readonly [name: string, open: (page: Page) => Promise<void>])[] = [
  ['the launch dialog', (page) => page.getByRole('button', { name: 'Launch' }).click()],
  ['the settings', (page) => page.getByRole('button', { name: 'Settings' }).click()],
  [
    'the settings of notifications',
    async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Notifications elsewhere' }).click();
    },
  ],
  ['the keys', (page) => page.getByRole('button', { name: 'Keys' }).click()],
  [
    'the dialog of a new workflow',
    async (page) => {
      await page.getByRole('link', { name: 'Workflows' }).click();
      await page.getByRole('button', { name: 'New workflow' }).click();
    },
  ],
  [
    'the dialog of a new schedule',
    async (page) => {
      await page.getByRole('link', { name: 'Schedules' }).click();
      await page.getByRole('button', { name: 'New schedule' }).first().click();
    },
  ],
];

describe('the screens of the page', () => {
  let stage: Stage;
  /** Where each is, and what is seen there once it is whole. */
  let screens: readonly (readonly [path: string, seen: string])[];
  before(async () => {
    stage = await setStage();
    const agentId = await stage.launch('login-expiry', 'rest');
    await stage.until(agentId, 'IDLE');
    const { workflows } = await stage.call<{ workflows: { id: string; name: string }[] }>(
      'workflow.v1.WorkflowService/ListWorkflows',
      {},
    );
    const workflowId = workflows.find(({ name }) => name === 'shop')?.id;
    const { schedule } = await stage.call<{ schedule: { id: string } }>('schedule.v1.ScheduleService/CreateSchedule', {
      name: 'weekly-report',
      cron: '30 16 * * FRI',
      prompt: 'rest',
      workflowId,
      timezone: 'America/New_York',
    });
    await reviewed(stage, agentId);
    const { mail } = await stage.call<{ mail: { id: string } }>('SendMail', {
      agentId,
      subject: 'Font',
      body: 'Take it.',
    });
    const forge = { host: 'forge.test', kind: 'FORGE_KIND_GITHUB', credentialEnv: 'MUSTER_NONE' };
    await stage.call('forge.v1.ForgeService/CreateForgeConnection', forge);
    const { hosts } = await stage.call<{ hosts: { id: string }[] }>('host.v1.HostService/ListHosts', {});
    const old = await stage.launch('put-away', 'rest');
    await stage.until(old, 'IDLE');
    await stage.call('ArchiveAgent', { agentId: old });
    screens = [
      ['/', '.roster-row'],
      [`/agents/${agentId}`, '.panel h2'],
      [`/agents/${agentId}/pane`, '.xterm-rows'],
      [`/workflows/${workflowId}`, '.panel h2'],
      ['/schedules', '.schedule .code'],
      [`/schedules/${schedule.id}`, '.panel h2'],
      ['/machines/agent', '.instance .muted'],
      [`/machines/agent?id=${agentId}`, '.moves .move'],
      ['/hosts', '.meter-text'],
      ['/facts', '[aria-label="Facts"] li'],
      ['/runs', '.split-head'],
      ['/doctor', '.doctor-part'],
      [`/agents/${agentId}/review`, '.hunk'],
      [`/mail/${mail.id}`, '.panel h2'],
      ['/mail', '.thread-subject'],
      ['/pull-requests', '.empty h2'],
      ['/pull-requests/forges', '.forge'],
      [`/hosts/${hosts[0]?.id}`, '.panel .carried li'],
      ['/archived', 'main a'],
      ['/summary', '.summary a'],
      ['/nowhere', '.empty'],
    ];
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const show = async (page: Page, [path, seen]: readonly [string, string]): Promise<void> => {
    await page.goto(stage.pageUrl + path);
    await page.locator(seen).first().waitFor();
  };

  it('have readable text', async () => {
    const page = await stage.open('/');
    const small: string[] = [];
    for (const screen of someOf(screens, 0, 2)) {
      await show(page, screen);
      small.push(...(await smallLetters(page)).map((text) => `${screen[0]}: ${text}`));
    }
    expect(small).to.deep.equal([]);
  });

  it('show the links of all screens whole, from the width of a small laptop on', async () => {
    const page = await stage.open('/');
    const nav = page.getByRole('navigation', { name: 'Screens' });
    for (const width of [1_440, 1_241, 1_240, 1_141, 1_140, 900]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await nav.evaluate((bar) => bar.scrollWidth - bar.clientWidth), `${width}`).to.equal(0);
    }
  });

  it('can be used by touch, and nothing overflows the edge', async () => {
    const page = await stage.open('/', phone);
    const faults: string[] = [];
    for (const screen of someOf(screens, 1, 2)) {
      await show(page, screen);
      faults.push(...(await outOfReach(page)).map((text) => `${screen[0]}: ${text}`));
    }
    expect(faults).to.deep.equal([]);
  });

  for (const [name, openIt] of someOf(dialogs, 0, 2)) {
    it(`have readable text and touch-sized controls in ${name}`, async () => {
      const page = await stage.open('/', phone);
      await openIt(page);
      const top = page.locator('dialog[open], [popover]:popover-open');
      await top.waitFor();
      for (const more of await top.locator('summary').all()) await more.click();
      expect([...(await smallLetters(page)), ...(await outOfReach(page))]).to.deep.equal([]);
    });
  }

  it('show in the summary what happens while it is open', async () => {
    const page = await stage.open('/summary');
    const row = page.getByRole('list', { name: 'Agents' }).getByRole('listitem').filter({ hasText: 'overnight' });
    const agentId = await stage.launch('overnight', 'ask');
    await row.getByText('waits', { exact: true }).waitFor();
    await stage.until(agentId, 'WAITING');
    const { screenDigest } = await stage.call<{ screenDigest: string }>('ReadPane', { agentId });
    await stage.call('AnswerAgent', { agentId, screenDigest, keys: ['1'] });
    await row.getByText('works', { exact: true }).waitFor();
    await page.getByText(/; questions: \d+ for you$/).waitFor();
    await page.context().close();
  });

  it('show a question and all of its choices together on a phone', async () => {
    const agentId = await stage.launch('asker', 'ask');
    await stage.until(agentId, 'WAITING');
    const page = await stage.open(`/agents/${agentId}`, phone);
    await page.getByRole('button', { name: /^3 No/ }).waitFor();
    const edge = phone.viewport.height;
    const lowest = (screen: Page) => screen.getByRole('button', { name: /^3 No/ }).boundingBox();
    const bottomOf = (box: { y: number; height: number } | null) => (box === null ? Number.NaN : box.y + box.height);
    expect(bottomOf(await lowest(page)), 'in the panel').to.be.at.most(edge);
    await page.goto(`${stage.pageUrl}/agents/${agentId}/pane`);
    await page.locator('.xterm-rows').getByText('Do you want to make this edit').waitFor();
    await page.getByRole('button', { name: /^3 No/ }).waitFor();
    expect(bottomOf(await lowest(page)), 'below the terminal').to.be.at.most(edge);
  });

  inSoak('have room for a prompt on a phone below a terminal with readable text', async () => {
    const agentId = await stage.launch('resting', 'rest');
    await stage.until(agentId, 'IDLE');
    const page = await stage.open(`/agents/${agentId}/pane`, phone);
    await page.locator('.xterm-rows span').first().waitFor();
    const box = await page.getByRole('textbox', { name: /Prompt/ }).boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).to.be.at.most(phone.viewport.height);
  });

  inSoak('name the time zone of a schedule in full beside its panel', async () => {
    const page = await stage.open('/schedules');
    await page.getByRole('link', { name: 'weekly-report' }).click();
    await page.getByRole('complementary').waitFor();
    const zone = page.locator('.schedule-name .code');
    await zone.getByText('America/New_York').waitFor();
    expect(await zone.evaluate((text) => text.scrollWidth - text.clientWidth)).to.equal(0);
  });
});

/** Gives an agent's work a round, with a comment on a line of it. */
async function reviewed(stage: Stage, agentId: string): Promise<void> {
  const { agent } = await stage.call<{ agent: { agent: { cwd: string } } }>('GetAgent', { agentId });
  writeFileSync(join(agent.agent.cwd, 'prices.ts'), 'export const rate = 19;\n');
  const { round } = await stage.call<{ round: { snapshotSha: string } }>('StartReviewRound', { agentId });
  const place = { filePath: 'prices.ts', newStart: 1, newEnd: 1, quotedLines: ['+export const rate = 19;'] };
  await stage.call('CreateReviewThread', { agentId, snapshotSha: round.snapshotSha, body: 'By law?', ...place });
}
