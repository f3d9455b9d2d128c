import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { authorization, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { moment } from '#test/support/moment.ts';
import { closeContexts, sharedBrowser } from '../browser.ts';
import { buildPage } from '../stage.ts';

const verbs = ['add', 'bump', 'cache', 'drop', 'edit', 'fix', 'guard', 'hide', 'index', 'join'] as const;
const things = [
  ...['alerts', 'billing', 'cart', 'docs', 'emails', 'forms', 'graphs', 'hooks', 'icons', 'jobs'],
  ...['keys', 'lists', 'menus', 'nodes', 'orders', 'prices', 'quotas', 'roles', 'search', 'taxes'],
];
const states = ['IDLE', 'THINKING', 'THINKING', 'IDLE', 'WAITING'] as const;
const workflows = ['shop', 'ledger', 'site', 'infra'].map((name) => ({ id: `wfl_${name}`, name }));

/** Two hundred agents of four projects, in different states. */
const agents = verbs.flatMap((verb, at) =>
  things.map((thing, place): AgentRow => {
    const state = states[(at + place) % states.length] ?? 'IDLE';
    const name = `${verb}-${thing}`;
    const workflowId = workflows[(at + place) % workflows.length]?.id ?? '';
    const task = `Please ${verb} the ${thing} of the shop`;
    return {
      agent: {
        id: `agt_${name}`,
        name,
        state: `AGENT_STATE_${state}`,
        alive: true,
        harness: 'claude',
        workflowId,
        task,
      },
    };
  }),
);

describe('two hundred agents', () => {
  it('are grouped by project, and found with two keys at 1280 pixels', async () => {
    buildPage();
    const gateway = await gatewayFixture();
    const browser = await sharedBrowser();
    try {
      gateway.answer('WatchAgents', () => ({ agents, cursor: 'all' }));
      gateway.answer('ListWorkflows', () => ({ workflows }));
      const viewport = { width: 1280, height: 800 };
      const page = await (await browser.newContext({ viewport, extraHTTPHeaders: { authorization } })).newPage();
      await page.goto(gateway.url);
      const names = page.locator('.roster-row .name');
      await page.locator(`[role=treegrid][aria-rowcount="${agents.length + 1}"]`).waitFor();
      await page.locator('.roster-project').getByText('infra 50').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('fb');
      await moment('one to be left', async () => (await names.allInnerTexts()).join() === 'fix-billing');
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Agent fix-billing' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.press('Escape');
      await page.getByLabel('All projects').selectOption('ledger');
      await page.getByRole('button', { name: 'waiting for you' }).click();
      await moment('ten to be left', async () => (await names.count()) === 10);
      for (const state of await page.locator('.roster-row .state').allInnerTexts()) expect(state).to.equal('Waiting');
    } finally {
      await closeContexts(browser);
      await gateway.close();
    }
  });
});
