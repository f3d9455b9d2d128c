import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { authorization, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { closeContexts, sharedBrowser } from '../browser.ts';
import { buildPage } from '../stage.ts';

/** An agent with a red pull request and what else its signs say. */
function rowOf(name: string, state: string, more: object): AgentRow {
  return {
    agent: { id: `agt_${name}`, name, state: 'AGENT_STATE_IDLE', alive: true, harness: 'claude', prompt: 'Mend it.' },
    pullRequest: { number: 43, state: `PULL_REQUEST_STATE_${state}`, url: 'https://forge.test/acme/shop/pull/43' },
    ...more,
  } as AgentRow;
}

describe('the icons of an agent', () => {
  it('explain a red pull request in full, at 1280 pixels beside the panel', async () => {
    buildPage();
    const gateway = await gatewayFixture();
    const browser = await sharedBrowser();
    try {
      const round = { localReviewRounds: 1, doorbellRungAt: new Date().toISOString() };
      const agents = [
        rowOf('invoice', 'CONFLICTING', { unreadMail: true, unreadMailCount: 1 }),
        rowOf('prices', 'FAILING', round),
      ];
      gateway.answer('WatchAgents', () => ({ agents, cursor: 'all' }));
      gateway.answer('ListWorkflows', () => ({ workflows: [] }));
      const viewport = { width: 1280, height: 800 };
      const context = await browser.newContext({ viewport, extraHTTPHeaders: { authorization } });
      const page = await context.newPage();
      await page.goto(`${gateway.url}/agents/agt_invoice`);
      await page.getByRole('complementary').waitFor();
      for (const text of ['#43 conflict', '#43 failing']) {
        const sign = page.locator('.roster-row .sign-text').getByText(text, { exact: true });
        await sign.waitFor();
        expect(await sign.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), text).to.equal(0);
      }
    } finally {
      await closeContexts(browser);
      await gateway.close();
    }
  });
});
