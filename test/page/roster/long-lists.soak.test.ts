import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { publishFact } from '#bus/facts.ts';
import { chartOf } from '#machines/chart/layout.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { moment } from '#test/support/moment.ts';
import { someOf } from '#test/support/some-of.ts';
import { closeContexts, sharedBrowser } from '../browser.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const count = 10_000;
const at = '2026-11-21T09:00:00Z';

/** A list that the page reads page by page. */
interface Listed {
  readonly path: string;
  readonly method: string;
  /** The name of its rows in an answer, and one of them by its place from zero. */
  readonly field: string;
  readonly row: (place: number) => object;
  /** What the list is called, and what the row at a place shows. */
  readonly label: string;
  readonly text: (place: number) => string;
  /** How many rows are in it that are none of those, such as headings. */
  readonly more?: number;
  /** Whether the service reports how many there are. */
  readonly isCounted?: boolean;
}

const lists: readonly Listed[] = [
  {
    path: '/runs',
    method: 'ListRunLogs',
    field: 'runs',
    label: 'Runs',
    row: (place) => ({
      id: count - place,
      agentId: 'agt_1',
      state: 'RUN_STATE_SUCCEEDED',
      startedAt: at,
      output: 'ok',
    }),
    text: (place) => ` ${count - place} for`,
  },
  {
    path: '/mail',
    method: 'ListMail',
    field: 'mail',
    label: 'Threads',
    row: (place) => ({
      id: `mal_${place}`,
      toName: 'ada',
      fromName: 'bob',
      fromAgentId: 'agt_2',
      subject: `matter ${place} of many`,
      body: 'look',
      sentAt: new Date(Date.parse(at) - place * 1_000).toISOString(),
    }),
    text: (place) => `matter ${place} of`,
  },
  {
    path: '/archived',
    method: 'ListAgents',
    field: 'agents',
    label: 'Archived agents',
    row: (place) => ({ agent: { id: `agt_${place}`, name: `old-${place}-one`, archivedAt: at } }),
    text: (place) => `old-${place}-`,
  },
  {
    path: '/schedules/sch_1',
    method: 'ListScheduleRuns',
    field: 'runs',
    label: 'Runs of nightly',
    row: (place) => ({
      id: String(count - place),
      state: 'SCHEDULE_RUN_STATE_COMPLETED',
      scheduledFor: at,
      message: `occurrence ${place}.`,
    }),
    text: (place) => `occurrence ${place}.`,
  },
  {
    path: '/pull-requests',
    method: 'ListPullRequests',
    field: 'pullRequests',
    label: 'Pull requests',
    row: (place) => ({
      id: `pr_${place}`,
      number: count - place,
      title: 'Round prices',
      url: `https://forge.test/acme/shop/pull/${count - place}`,
      repositoryUrl: 'https://forge.test/acme/shop',
      state: 'PULL_REQUEST_STATE_OPEN',
      changedAt: at,
    }),
    text: (place) => `#${count - place} `,
    more: 1,
  },
  {
    path: '/machines/firing',
    method: 'ListLives',
    field: 'lives',
    label: 'Instances',
    row: (place) => ({ id: String(count - place), name: `nightly ${count - place}.`, state: 'completed' }),
    text: (place) => `nightly ${count - place}.`,
    isCounted: true,
  },
];

describe('lists of ten thousand', () => {
  let gateway: GatewayFixture;
  let browser: Browser;
  let page: Page;
  before(async () => {
    execFileSync(process.execPath, [join(root, 'bin', 'page.mjs')], { cwd: root, stdio: 'ignore' });
    gateway = await gatewayFixture();
    browser = await sharedBrowser();
    gateway.answer('WatchAgents', () => ({ agents: [], cursor: '1' }));
    const schedule = { id: 'sch_1', name: 'nightly', cron: '0 2 * * *', enabled: true };
    gateway.answer('ListSchedules', () => ({ schedules: [schedule] }));
    gateway.answer('GetSchedule', () => ({ schedule }));
    gateway.answer('GetMachineChart', ({ name }) => ({ chart: chartOf(String(name)) }));
    gateway.answer('SurveyMachine', () => ({ counts: [{ state: 'completed', count }] }));
  });
  after(async () => {
    await closeContexts(browser);
    await gateway.close();
  });
  beforeEach(async () => {
    page = await (await browser.newContext({ extraHTTPHeaders: { authorization } })).newPage();
  });
  afterEach(() => page.context().close());

  /** Answers a listing from its rows, which a test may change; keys are places, so that new rows come before all. */
  const serve = ({ method, field, row }: Listed): object[] => {
    const rows = Array.from({ length: count }, (_, place) => row(place));
    gateway.answer(method, ({ pagination }) => {
      const { cursor = '', pageSize = 50 } = (pagination ?? {}) as { cursor?: string; pageSize?: number };
      const from = rows.length - Number(cursor || rows.length);
      const left = rows.length - from - pageSize;
      const total = cursor === '' ? rows.length : undefined;
      return { [field]: rows.slice(from, from + pageSize), total, ...(left > 0 && { nextPageToken: String(left) }) };
    });
    return rows;
  };
  const reads = (method: string) => gateway.calls.filter((call) => call.method === method).length;

  for (const listed of someOf(lists)) {
    const { path, label, text, method, more = 0, isCounted = false } = listed;
    it(`${label}: draw only visible rows, read on while scrolling, and can be navigated by keys`, async () => {
      serve(listed);
      await page.goto(`${gateway.url}${path}`);
      const list = page.getByRole('list', { name: label });
      const items = list.locator(':scope > li');
      const focused = () =>
        list.evaluate((ul) => ul.ownerDocument.activeElement?.closest('li')?.getAttribute('aria-posinset') ?? '');
      const place = (position: number) => list.locator(`:scope > li[aria-posinset="${position + more + 1}"]`);
      await place(0)
        .filter({ hasText: text(0) })
        .waitFor();
      const size = isCounted ? String(count) : '-1';
      expect(await place(0).getAttribute('aria-setsize'), 'not all is known').to.equal(size);
      expect(await items.count()).to.be.within(5, 60);

      const readAtFirst = reads(method);
      await list.evaluate((ul) => {
        const scroller = ul.closest('[data-scroller]') as HTMLElement;
        scroller.scrollTop = scroller.scrollHeight;
      });
      await moment('more to be read', () => reads(method) > readAtFirst);

      await list.evaluate((ul) => {
        (ul.closest('[data-scroller]') as HTMLElement).scrollTop = 0;
      });
      await list.locator('li [tabindex="0"], li[tabindex="0"]').first().focus();
      await page.keyboard.press('Home');
      await moment('the first', async () => (await focused()) === '1');
      await page.keyboard.press('ArrowDown');
      await moment('the second', async () => (await focused()) === '2');
      await page.keyboard.press('PageDown');
      await moment('a page on', async () => Number(await focused()) > 5);
      await page.keyboard.press('PageUp');
      await moment('a page back', async () => (await focused()) === '2');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('End');
      await moment('the last', async () => (await focused()) === String(count + more));
      await place(count - 1)
        .filter({ hasText: text(count - 1) })
        .waitFor();
      expect(await place(count - 1).getAttribute('aria-setsize'), 'all is known').to.equal(String(count + more));
      expect(await items.count()).to.be.within(5, 60);
      await page.keyboard.press('Home');
      await place(0)
        .filter({ hasText: text(0) })
        .waitFor();
      await moment('the first again', async () => (await focused()) === '1');
    });
  }

  it('keep the scroll position when rows arrive above it, and refetch only what is visible', async () => {
    const [runs] = lists;
    if (runs === undefined) throw new Error('there are runs');
    const rows = serve(runs);
    await page.goto(`${gateway.url}/runs`);
    const list = page.getByRole('list', { name: 'Runs' });
    await list.getByRole('listitem').first().waitFor();
    await page.keyboard.press('End');
    await list.locator(`li[aria-posinset="${count}"]`).waitFor({ timeout: 30_000 });
    const scroll = (top: number) =>
      list.evaluate((ul, to) => {
        (ul.closest('[data-scroller]') as HTMLElement).scrollTop = to;
      }, top);
    await scroll(20_000);
    const middle = list.getByRole('listitem').filter({ hasText: ' 9640 for' });
    await middle.waitFor();
    const top = async () => (await middle.boundingBox())?.y;
    const before = await top();
    rows.unshift({ ...runs.row(0), id: count + 1 }, { ...runs.row(0), id: count + 2 });
    const [known, begun] = [reads('ListRunLogs'), gateway.calls.length];
    const fact = { kind: 'run.begun', seq: '2', subjectId: 'agt_1' } as const;
    gateway.answer('WatchAgents', ({ cursor }) =>
      cursor === '2' ? { agents: [], cursor } : { agents: [], facts: [{ ...fact, at, detail: '{}' }], cursor: '2' },
    );
    publishFact(gateway.registry, fact);
    await list
      .locator(`li[aria-setsize="${count + 2}"]`)
      .first()
      .waitFor({ timeout: 15_000 });
    expect(await top()).to.be.closeTo(before ?? 0, 2);
    expect(reads('ListRunLogs') - known, `of ${begun} calls`).to.be.at.most(6);
    await scroll(0);
    await list
      .getByRole('listitem')
      .filter({ hasText: ` ${count + 1} for` })
      .waitFor();
  });
});
