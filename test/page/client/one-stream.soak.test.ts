import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import type { Fact } from '#contract/fact/fact.ts';
import { githubDouble } from '#test/forge/doubles/github.ts';
import { type DoubleServer, serveDouble } from '#test/forge/doubles/server.ts';
import { ForgeWorld, pull } from '#test/forge/doubles/world.ts';
import { moment } from '#test/support/moment.ts';
import { someOf } from '#test/support/some-of.ts';
import { asAgent } from '../as-agent.ts';
import { type Stage, setStage } from '../stage.ts';
import { type CutLine, layLine } from './cut-line.ts';

/** A screen, something that moves it by a call from elsewhere, and how that shows. */
interface Screen {
  readonly path: () => string;
  readonly move: (count: number) => Promise<unknown>;
  readonly shown: (page: Page, count: number) => Promise<void>;
  /** What it may ask for, once in ten seconds, while nothing happens. */
  readonly looks?: string;
}

/**
 * How soon what moved is shown, in milliseconds. A page that has lost its connection tries again after ten seconds at
 * most, and gives up a try that nothing comes of after 25 s.
 */
const withinMs = 120_000;
const forgeService = 'forge.v1.ForgeService';
const quietMs = 16_000;

describe('the single stream of a tab', function () {
  this.timeout(300_000);
  const world = new ForgeWorld();
  let forge: DoubleServer;
  let stage: Stage;
  let line: CutLine;
  const ids = { ada: '', scripts: '', host: '', thread: '' };
  const goOn = (count: number) => join(stage.pieces.home, `go-on-${count}`);

  before(async () => {
    world.repository('acme/app', { pulls: [pull(1)] });
    forge = await serveDouble(githubDouble(world));
    stage = await setStage();
    line = await layLine(stage.pieces.url);
    ids.ada = await stage.launch('ada', 'rest');
    await stage.until(ids.ada, 'IDLE');
    const setup = `echo begun; for at in 1 2; do until test -e '${goOn(0)}'$at; do sleep 0.1; done; echo "part $at"; done`;
    const scripts = { setup: `case "$PWD" in *slow*) ${setup};; *) echo quick;; esac` };
    const asked = {
      name: 'scripts',
      cwd: stage.pieces.repository,
      harness: 'scripted',
      provisionEnabled: true,
      scripts,
    };
    const method = 'workflow.v1.WorkflowService/CreateWorkflow';
    ids.scripts = (await stage.call<{ workflow: { id: string } }>(method, asked)).workflow.id;
    const { hosts } = await stage.call<{ hosts: { id: string }[] }>('host.v1.HostService/ListHosts', {});
    ids.host = hosts[0]?.id ?? '';
    const connection = {
      host: 'forge.test',
      kind: 'FORGE_KIND_GITHUB',
      baseAddress: forge.address,
      credential: world.token,
    };
    await stage.call(`${forgeService}/CreateForgeConnection`, connection);
    await beginReview();
  });
  after(async () => {
    await line.close();
    await stage.stop();
    await forge.close();
  });
  beforeEach(() => line.mend());
  afterEach(async () => {
    // A host that is drained takes none of the agents that come after.
    await screens['hosts']?.move(2);
    expect(stage.faults).to.deep.equal([]);
  });

  async function beginReview(): Promise<void> {
    const { agent } = await stage.call<{ agent: { agent: { cwd: string } } }>('GetAgent', { agentId: ids.ada });
    writeFileSync(join(agent.agent.cwd, 'prices.ts'), 'export const price = 1;\n');
    await stage.call('StartReviewRound', { agentId: ids.ada });
    const place = { filePath: 'prices.ts', newStart: 1, newEnd: 1, quotedLines: ['+export const price = 1;'] };
    const asked = { agentId: ids.ada, ...place, body: 'Why one?' };
    ids.thread = (await stage.call<{ thread: { id: string } }>('CreateReviewThread', asked)).thread.id;
    await stage.call('ReleaseReview', { agentId: ids.ada, verdict: 'REVIEW_VERDICT_COMMENTED', summary: 'One thing' });
  }

  /** A separate browser at a screen, through the line that can be cut. */
  async function open(path: string): Promise<Page> {
    const page = await stage.open('/', { proxy: line.proxy });
    await page.clock.install();
    await page.goto(`${stage.pageUrl}${path}`);
    await page.getByText('live', { exact: true }).waitFor();
    return page;
  }

  const item = (page: Page, list: string, text: string) =>
    page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text }).first();
  const reply = (body: string) => asAgent(stage, ids.ada, 'ReplyReviewThread', { threadId: ids.thread, body });
  const screens: Readonly<Record<string, Screen>> = {
    hosts: {
      path: () => '/hosts',
      move: (count) => stage.call('host.v1.HostService/DrainHost', { hostId: ids.host, undo: count % 2 === 0 }),
      shown: (page, count) =>
        item(page, 'Hosts', 'online')
          .getByText(/^(?:cordoned|drained)$/)
          .waitFor({ state: count % 2 === 0 ? 'detached' : 'visible', timeout: withinMs }),
      // A host's load is not pushed: it is polled while it is shown.
      looks: 'ListHosts',
    },
    runs: {
      path: () => '/runs',
      move: async (count) => {
        const id = await stage.launch(`quick-${count}`, 'rest', { workflowId: ids.scripts });
        await stage.until(id, 'IDLE');
      },
      shown: (page, count) =>
        item(page, 'Runs', `quick-${count}`).getByText('succeeded').waitFor({ timeout: withinMs }),
    },
    'pull requests': {
      path: () => '/pull-requests',
      move: async (count) => {
        const [app] = world.repositories;
        if (app) app.pulls = [pull(1, { title: `Price ${count}`, updatedAt: new Date().toISOString() })];
        await stage.call(`${forgeService}/SweepRepository`, { remoteUrl: 'https://forge.test/acme/app' });
        await moment('the sweep', async () => {
          const { pullRequests = [] } = await stage.call<{ pullRequests?: { title: string }[] }>(
            `${forgeService}/ListPullRequests`,
            {},
          );
          return pullRequests[0]?.title === `Price ${count}`;
        });
      },
      shown: (page, count) => item(page, 'Pull requests', `Price ${count}`).waitFor({ timeout: withinMs }),
    },
    mail: {
      path: () => '/mail',
      move: (count) => stage.call('SendMail', { agentId: ids.ada, subject: `Matter ${count}`, body: 'Look here' }),
      shown: (page, count) => item(page, 'Threads', `Matter ${count}`).waitFor({ timeout: withinMs }),
    },
    schedules: {
      path: () => '/schedules',
      move: (count) => {
        const asked = { name: `watch-${count}`, cron: '0 3 1 1 *', workflowId: ids.scripts, prompt: 'rest' };
        return stage.call('schedule.v1.ScheduleService/CreateSchedule', asked);
      },
      shown: (page, count) => item(page, 'Schedules', `watch-${count}`).waitFor({ timeout: withinMs }),
    },
    review: {
      path: () => `/agents/${ids.ada}/review`,
      move: (count) => reply(`Reply ${count}.`),
      shown: (page, count) => page.getByRole('article').getByText(`Reply ${count}.`).waitFor({ timeout: withinMs }),
    },
  };

  for (const [name, { path, move, shown, looks }] of someOf(Object.entries(screens))) {
    it(`updates the screen of ${name} at once, requests nothing without a change, and recovers it`, async () => {
      const page = await open(path());
      await move(1);
      await shown(page, 1);
      const calls: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') calls.push(basename(request.url()));
      });
      await moment('a quiet time', async () => {
        for (const ms of [1_000, 2_000]) await page.clock.runFor(ms);
        calls.length = 0;
        await page.clock.runFor(quietMs);
        await page.evaluate('document.title');
        const asked = calls.filter((call) => call !== 'WatchAgents');
        if (asked.length <= 2 && asked.every((call) => call === looks)) return true;
        // On a busy machine what the move itself asks for comes late: a page that asks on its own asks in every quiet
        // time.
        await page.reload();
        await page.getByText('live', { exact: true }).waitFor();
        await shown(page, 1);
        return false;
      });
      calls.length = 0;
      line.cut();
      await page.getByRole('alert').getByText('Connection lost.').waitFor();
      await move(2);
      line.mend();
      await shown(page, 2);
      expect(calls, 'nothing was loaded anew').to.include('WatchAgents').and.not.include('');
      await page.context().close();
    });
  }

  it('shows a script’s output as it is written', async () => {
    await stage.launch('slow', 'rest', { workflowId: ids.scripts });
    const page = await open('/runs');
    await item(page, 'Runs', 'slow')
      .getByRole('link', { name: /^setup/ })
      .click();
    const output = page.getByRole('log', { name: 'Output' });
    for (const at of [1, 2]) {
      await page.getByRole('complementary').getByText('running').waitFor();
      writeFileSync(`${goOn(0)}${at}`, '');
      await output.getByText(`part ${at}`).waitFor();
    }
    await page.getByRole('complementary').getByText('succeeded').waitFor();
    await page.context().close();
  });

  it('batches a flood of changes, and reads at its pace', async () => {
    const page = await open('/mail');
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/ListMail')) asked += 1;
    });
    const began = Date.now();
    for (let at = 0; Date.now() - began < 3_000; at += 1) await screens['mail']?.move(100 + at);
    await screens['mail']?.move(99);
    await item(page, 'Threads', 'Matter 99').waitFor();
    expect(asked).to.be.within(1, 2 + (Date.now() - began) / 500);
    await page.context().close();
  });

  it('shows the unread review threads on an agent’s line', async () => {
    const page = await open('/');
    const row = page.locator('.roster-row').filter({ has: page.getByRole('link', { name: 'ada', exact: true }) });
    await stage.call('MarkReviewThreadsRead', { threadIds: [ids.thread] });
    const sign = row.getByTitle('a new reply in its review');
    await sign.waitFor({ state: 'detached' });
    await reply('And again.');
    await sign.getByText('1', { exact: true }).waitFor({ timeout: withinMs });
    await stage.call('MarkReviewThreadsRead', { threadIds: [ids.thread] });
    await sign.waitFor({ state: 'detached', timeout: withinMs });
    await page.context().close();
  });

  it('contains nothing that a person has not released, which their other tabs still show', async () => {
    const facts = () => stage.call<{ facts: Fact[] }>('fact.v1.FactService/ListFacts', { pageSize: 200 });
    const page = await open(`/agents/${ids.ada}/review`);
    const other = await page.context().newPage();
    await other.goto(`${stage.pageUrl}/agents/${ids.ada}/review`);
    const answers = (where: Page) => where.getByRole('article').filter({ hasText: 'Why one?' });
    await answers(other).waitFor();
    const before = (await facts()).facts.filter(({ kind = '' }) => kind.startsWith('review.'));
    await answers(page).getByRole('button', { name: 'Reply' }).click();
    await page.getByLabel('Reply', { exact: true }).fill('Mine alone.');
    await page.keyboard.press('Control+Enter');
    await answers(page).getByText('Mine alone.').waitFor();
    await answers(other).getByText('Mine alone.').waitFor({ timeout: withinMs });
    expect((await facts()).facts.filter(({ kind = '' }) => kind.startsWith('review.'))).to.deep.equal(before);
    await other.getByRole('button', { name: 'Discard' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await answers(page).getByText('Mine alone.').waitFor({ state: 'detached', timeout: withinMs });
    await page.context().close();
  });

  it('is the only one, except for the terminal’s', async () => {
    const waiting = await stage.launch('asking', 'ask');
    await stage.until(waiting, 'WAITING');
    const page = await open('/');
    // What is open now: on a busy machine a page may let one go that it has just opened, and open another.
    const streams = new Set<Request>();
    const names = () => [...streams].map((request) => basename(request.url())).toSorted();
    const forget = (request: Request) => void streams.delete(request);
    page.on('request', (request) => {
      if (/\/Watch\w+$/.test(request.url())) streams.add(request);
    });
    page.on('requestfinished', forget).on('requestfailed', forget);
    await page.reload();
    await page.getByText('live', { exact: true }).waitFor();
    for (const screen of ['Hosts', 'Runs', 'Mail', 'Schedules', 'Pull requests']) {
      await page.getByRole('link', { name: screen, exact: true }).click();
      await page.getByRole('heading', { name: new RegExp(screen, 'i'), level: 1 }).waitFor();
      await moment('one stream', () => names().join() === 'WatchAgents');
    }
    await page.goto(`${stage.pageUrl}/agents/${waiting}`);
    await page.getByRole('button', { name: '1 Yes', exact: true }).waitFor();
    await moment('the two streams', () => names().join() === 'WatchAgents,WatchPane');
    await page.context().close();
  });
});
