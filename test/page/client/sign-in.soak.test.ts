import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { inSoak } from '#test/support/soak.ts';
import { type Stage, setStage } from '../stage.ts';
import { endSession } from './end-session.ts';

const watchAgents = '**/agent.v1.AgentService/WatchAgents';

describe('signing in and out while the page is open', () => {
  let stage: Stage;
  let page: Page;
  before(async () => {
    stage = await setStage();
    page = await stage.open();
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const live = (of: Page) => of.getByText('live', { exact: true });
  const out = (of: Page) => of.getByText('This browser is not signed in');

  it('accepts a code in the address of an open page, and removes it', async () => {
    const context = await stage.browser.newContext();
    const notNats = await context.newPage();
    await notNats.goto(stage.pageUrl);
    await out(notNats).waitFor();
    await notNats.goto(await stage.signInAddress());
    await live(notNats).waitFor();
    expect(new URL(notNats.url()).hash).to.equal('');
    await notNats.goto(`${stage.pageUrl}/#code=AAAA`);
    await notNats.getByRole('alert').getByText('The code was used already').waitFor();
    expect(await out(notNats).count()).to.equal(0);
    await context.close();
  });

  it('reports the sign-out at the refused action, and continues afterwards', async () => {
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('work on what took long to write');
    await endSession(page);
    const launch = page.getByRole('button', { name: 'Launch', exact: true }).last();
    // The page’s stream may be refused before the click, which then finds no button.
    await launch.click({ timeout: 5_000 }).catch(() => undefined);
    await out(page).waitFor({ timeout: 3_000 });
    const other = await page.context().newPage();
    await other.goto(await stage.signInAddress());
    await live(other).waitFor();
    await live(page).waitFor();
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
    await page.keyboard.press('n');
    const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true });
    expect(await prompt.inputValue()).to.equal('work on what took long to write');
    await page.getByRole('button', { name: 'Start over' }).click();
    expect(await prompt.inputValue()).to.equal('');
    await page.keyboard.press('Escape');
    await other.close();
  });

  inSoak('continues even if the sign-in overtakes the refusal of its stream', async () => {
    const refused = Promise.withResolvers<void>();
    const overtaken = Promise.withResolvers<void>();
    const hold = async (route: Route): Promise<void> => {
      refused.resolve();
      await overtaken.promise;
      await route.fulfill({ status: 401 });
    };
    await page.route(watchAgents, hold, { times: 1 });
    await endSession(page);
    await page.reload();
    await refused.promise;
    const other = await page.context().newPage();
    await other.goto(await stage.signInAddress());
    await live(other).waitFor();
    overtaken.resolve();
    await live(page).waitFor();
    await other.close();
  });

  inSoak('retries at once without a network if muster runs on this machine', async () => {
    const id = await stage.launch('near', 'work');
    await stage.until(id, 'THINKING');
    await page.getByRole('link', { name: 'near', exact: true }).click();
    await page.evaluate(`
      Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
      window.dispatchEvent(new Event('offline'));
    `);
    await page.getByRole('button', { name: 'Hold' }).click();
    await page.getByRole('button', { name: 'Give back' }).waitFor({ timeout: 5_000 });
    await page.getByRole('link', { name: 'Hosts' }).click();
    await page.getByRole('list', { name: 'Hosts' }).getByRole('listitem').waitFor();
    await page.evaluate('delete navigator.onLine');
  });

  it('revokes every token after a question: of agents, of all browsers, and the operator’s own', async () => {
    const agentId = await stage.launch('far', 'work');
    const { token } = await stage.call<{ token: string }>('IssueAgentToken', { agentId });
    const operators = () => readFileSync(join(stage.pieces.home, 'operator.token'), 'utf8').trim();
    const known = operators();
    const status = async (bearer: string): Promise<number> => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const asked = { method: 'POST', headers, body: JSON.stringify({ agentId }) };
      return (await fetch(`${stage.pieces.url}/agent.v1.AgentService/GetAgent`, asked)).status;
    };
    const statuses = async () => [await status(token), await status(known)];
    const other = await stage.open();
    await page.goto(stage.pageUrl);
    const ask = async () => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Revoke all tokens' }).click();
      return page.getByRole('dialog', { name: 'Revoke all tokens?' });
    };
    const asked = await ask();
    await asked.getByText('this one included').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    expect(await statuses()).to.deep.equal([200, 200]);
    await (await ask()).getByRole('button', { name: 'Revoke', exact: true }).click();
    for (const browser of [page, other]) await out(browser).waitFor();
    expect(await statuses()).to.deep.equal([401, 401]);
    expect(await status(operators())).to.equal(200);
    await page.goto(await stage.signInAddress());
    await live(page).waitFor();
  });
});
