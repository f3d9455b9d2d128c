import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { authorization, type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { closeContexts, sharedBrowser } from '../browser.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const maxPage = 200;

const rowOf = (at: number) => ({
  agent: {
    id: `agt_${at}`,
    name: `agent-${at}`,
    state: 'AGENT_STATE_IDLE',
    alive: true,
    stateChangedAt: '2026-11-21T09:00:00Z',
  },
});

describe('the page’s stream', () => {
  let gateway: GatewayFixture;
  let browser: Browser;
  let page: Page;
  before(async () => {
    execFileSync(process.execPath, [join(root, 'bin', 'page.mjs')], { cwd: root, stdio: 'ignore' });
    gateway = await gatewayFixture();
    browser = await sharedBrowser();
  });
  after(async () => {
    await closeContexts(browser);
    await gateway.close();
  });
  beforeEach(async () => {
    page = await (await browser.newContext({ extraHTTPHeaders: { authorization } })).newPage();
  });
  afterEach(() => page.context().close());

  const names = () => page.locator('.roster-row .name').allTextContents();
  const cursors = () =>
    gateway.calls.filter(({ method }) => method === 'WatchAgents').map(({ request }) => request['cursor'] ?? '');

  it('resumes where it broke off', async () => {
    gateway.answer('WatchAgents', ({ cursor }) =>
      cursor === undefined ? { agents: [rowOf(1)], cursor: 'one' } : { agents: [], cursor },
    );
    await page.goto(gateway.url);
    await moment('the first agent', async () => (await names()).join() === 'agent-1');
    gateway.answer('WatchAgents', ({ cursor }) =>
      cursor === 'one' ? { agents: [rowOf(2)], cursor: 'two' } : { agents: [], cursor },
    );
    await gateway.restart();
    await moment('the second agent', async () => (await names()).join() === 'agent-1,agent-2');
    await moment('it goes on', () => cursors().includes('two'));
    expect(cursors()).to.include('one');
  });

  it('starts over if its cursor is unknown, and removes deleted rows', async () => {
    gateway.answer('WatchAgents', ({ cursor }) =>
      cursor === undefined ? { agents: [rowOf(1), rowOf(2)], cursor: 'old' } : { agents: [], cursor },
    );
    await page.goto(gateway.url);
    await moment('both agents', async () => (await names()).join() === 'agent-1,agent-2');
    gateway.answer('WatchAgents', ({ cursor }) => {
      if (cursor === 'old') throw refusalWith('invalid_argument', 'the cursor is ahead of the log');
      return cursor === undefined ? { agents: [rowOf(2), rowOf(3)], cursor: 'new' } : { agents: [], cursor };
    });
    await gateway.restart();
    await moment('the new list', async () => (await names()).join() === 'agent-2,agent-3');
  });

  it('ends with the session, and the page shows it', async () => {
    gateway.answer('WatchAgents', ({ cursor }) => ({ agents: cursor === undefined ? [rowOf(1)] : [], cursor: 'one' }));
    await page.goto(gateway.url);
    await moment('the agent', async () => (await names()).join() === 'agent-1');
    gateway.answer('WatchAgents', () => {
      throw refusalWith('unauthenticated', 'The token is not known');
    });
    await gateway.restart();
    await page.getByText('This browser is not signed in').waitFor();
  });

  inSoak('fills a list of ten thousand, of which only visible rows are drawn', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => rowOf(at));
    gateway.answer('WatchAgents', ({ cursor = '0' }) => {
      const from = Number(cursor);
      const agents = rows.slice(from, from + maxPage);
      return { agents, cursor: String(from + agents.length), ...(agents.length === maxPage && { more: true }) };
    });
    await page.goto(gateway.url);
    // The machine may draw a hundred answers while other tests keep it busy.
    await page.locator('[role=treegrid][aria-rowcount="10001"]').waitFor({ timeout: 90_000 });
    expect(await page.locator('.roster-row').count()).to.be.within(10, 60);
    await page.getByRole('treegrid').press('End');
    const last = page.locator('.roster-row[aria-rowindex="10001"]');
    await last.waitFor();
    expect(await last.getAttribute('aria-selected')).to.equal('true');
    expect(await page.locator('.roster-row').count()).to.be.within(10, 60);
    await page.keyboard.press('/');
    await page.keyboard.type('agent-4321');
    await moment('the one that was searched', async () => (await names()).join() === 'agent-4321');
  });
});
