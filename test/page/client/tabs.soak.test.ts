import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { publishFact } from '#bus/facts.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { moment } from '#test/support/moment.ts';
import { closeContexts, sharedBrowser } from '../browser.ts';
import { look, startHidden } from '../looking.ts';
import { buildPage } from '../stage.ts';

/** Twice as many as a browser has connections to one server of HTTP/1.1. */
const tabs = 12;

describe('a dozen tabs of one browser', () => {
  let gateway: GatewayFixture;
  let browser: Browser;
  let context: BrowserContext;
  let pages: Page[];
  /** How often the agent has moved. */
  let moves = 0;
  before(async () => {
    buildPage();
    gateway = await gatewayFixture();
    gateway.answer('WatchAgents', ({ cursor }) => ({
      agents: cursor === String(moves) ? [] : [rowAfter(moves)],
      cursor: String(moves),
    }));
    browser = await sharedBrowser();
    context = await browser.newContext({ extraHTTPHeaders: { authorization } });
    await context.addInitScript(startHidden);
    pages = await Promise.all(Array.from({ length: tabs }, () => context.newPage()));
    await Promise.all(pages.map((page) => page.goto(gateway.url)));
  });
  after(async () => {
    await closeContexts(browser);
    await gateway.close();
  });

  const rowAfter = (count: number) => ({
    agent: { id: 'agt_1', name: `moved-${count}`, state: 'AGENT_STATE_IDLE', alive: true },
  });
  const move = (): void => {
    moves += 1;
    publishFact(gateway.registry, { kind: 'agent.state-moved', seq: String(moves), subjectId: 'agt_1' });
  };
  const opened = () => gateway.calls.filter(({ method, request }) => method === 'WatchAgents' && !request['cursor']);
  const name = (page: Page) => page.locator('.roster-row .name').textContent();

  it('leave the connections to the visible tab if they are opened together', async () => {
    const last = pages.at(-1) as Page;
    await look(last, 'visible');
    await moment('the agent', async () => (await name(last)) === 'moved-0');
    // One keeps listening for all; hidden ones that were never shown have opened nothing.
    expect(opened()).to.have.length.within(1, 2);
    await look(last, 'hidden');
  });

  it('are live and responsive as soon as each is shown', async () => {
    for (const page of pages) {
      await look(page, 'visible');
      move();
      await moment('the move', async () => (await name(page)) === `moved-${moves}`);
      expect(await page.evaluate("fetch('/session').then((answer) => answer.status)")).to.equal(200);
      await look(page, 'hidden');
    }
  });

  it('draw nothing in the first seconds where nobody looks', async () => {
    // A stopped clock is that of all tabs of a context.
    const own = await browser.newContext({ extraHTTPHeaders: { authorization } });
    await own.addInitScript(startHidden);
    const drawn = (page: Page) => page.locator('#root > *').count();
    const [waiting, seen] = [await own.newPage(), await own.newPage()];
    await waiting.clock.install({ time: 0 });
    await waiting.clock.pauseAt(1_000);
    for (const page of [waiting, seen]) await page.goto(gateway.url);
    await waiting.clock.runFor(3_900);
    for (const page of [waiting, seen]) expect(await drawn(page)).to.equal(0);
    await look(seen, 'hidden');
    expect(await drawn(seen)).to.equal(0);
    await look(seen, 'visible');
    await moment('the tab that is looked at', async () => (await drawn(seen)) > 0);
    expect(await drawn(waiting)).to.equal(0);
    await waiting.clock.runFor(4_200);
    await moment('the other tab', async () => (await drawn(waiting)) > 0);
    await own.close();
  });
});
