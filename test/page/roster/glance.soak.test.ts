import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inSoak } from '#test/support/soak.ts';
import { type Stage, setStage } from '../stage.ts';

describe('the roster at a glance', () => {
  let stage: Stage;
  let page: Page;
  const setup =
    'case "$PWD" in *left-pad*) echo "error: no package left-pad" >&2; echo "debug.log has more"; exit 3;; esac';
  before(async () => {
    stage = await setStage();
    const method = 'workflow.v1.WorkflowService/CreateWorkflow';
    const request = { name: 'packages', cwd: stage.pieces.repository, harness: 'scripted', provisionEnabled: true };
    const { workflow } = await stage.call<{ workflow: { id: string } }>(method, { ...request, scripts: { setup } });
    const failing = await stage.launch('left-pad', 'drop left-pad', { workflowId: workflow.id });
    await stage.until(failing, 'FAILED_TO_CREATE');
    for (const title of ['cart-totals', 'image-sizes']) await stage.until(await stage.launch(title, 'rest'), 'IDLE');
    page = await stage.open();
    await row('left-pad').waitFor();
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const row = (name: string) => page.getByRole('row').filter({ has: page.locator('.name').getByText(name) });
  const panel = (name: string) => page.getByRole('complementary', { name: `Agent ${name}` });
  const heightOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.height ?? 0;

  it('fits twenty agents of three projects into a window of 1280 by 800', async () => {
    const titles = await page.locator('.roster-head').boundingBox();
    const above = (titles?.y ?? Number.NaN) + (titles?.height ?? 0);
    const needed = above + 3 * (await heightOf('.roster-project')) + 20 * (await heightOf('.roster-row'));
    expect(needed).to.be.at.most(800);
  });

  it('shows a failed launch’s full reason beside its panel, and offers only possible actions', async () => {
    await row('left-pad').getByRole('link').click();
    await panel('left-pad').getByRole('button', { name: 'Retry t', exact: true }).waitFor();
    const state = row('left-pad').locator('.state');
    expect(await state.innerText()).to.equal('Launch failed');
    expect(await state.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).to.equal(0);
    expect(await panel('left-pad').getByRole('button', { name: 'Restore' }).count()).to.equal(0);
  });

  it('omits empty properties from the panel', async () => {
    await row('cart-totals').getByRole('link').click();
    await panel('cart-totals').waitFor();
    const facts = await panel('cart-totals').locator('.facts > div').allInnerTexts();
    expect(facts.filter((text) => /\n\s*\S/.test(text))).to.deep.equal(facts);
  });

  inSoak('shows all of a row that a key selects, above and below', async () => {
    const small = await stage.open('/', { viewport: { width: 1280, height: 230 } });
    const list = await small.locator('.roster-list').boundingBox();
    const [top, bottom] = [(list?.y ?? 0) + 28, (list?.y ?? 0) + (list?.height ?? 0)];
    for (const [key, name] of [
      ['Home', 'left-pad'],
      ['ArrowDown', 'cart-totals'],
      ['End', 'image-sizes'],
      ['Home', 'left-pad'],
    ] as const) {
      await small.getByRole('treegrid').focus();
      await small.keyboard.press(key);
      await small.getByRole('complementary', { name: `Agent ${name}` }).waitFor();
      const chosen = small.locator('.roster-row[aria-selected="true"]').filter({ hasText: name });
      const box = await chosen.boundingBox();
      expect(box?.y, key).to.be.at.least(top - 1);
      expect((box?.y ?? 0) + (box?.height ?? 0), key).to.be.at.most(bottom + 1);
    }
    await small.context().close();
  });

  it('shows a script’s failure in the list of runs', async () => {
    await page.goto(`${stage.pageUrl}/runs`);
    const run = page.getByRole('list', { name: 'Runs' }).getByRole('listitem').filter({ hasText: 'left-pad' });
    await run.getByText('ended with 3: error: no package left-pad').waitFor();
  });

  inSoak('names a host, and a deleted agent, in the history', async () => {
    const gone = await stage.launch('short-lived', 'rest');
    await stage.until(gone, 'IDLE');
    await stage.call('DeleteAgent', { agentId: gone, force: true });
    const { hosts } = await stage.call<{ hosts: { id: string; name: string }[] }>('host.v1.HostService/ListHosts', {});
    const [host] = hosts;
    const hostName = host?.name ?? '';
    await stage.call('host.v1.HostService/DrainHost', { hostId: host?.id });
    await stage.call('host.v1.HostService/DrainHost', { hostId: host?.id, undo: true });
    await page.goto(`${stage.pageUrl}/facts`);
    const facts = page.getByRole('list', { name: 'Facts' }).getByRole('listitem');
    await facts
      .filter({ hasText: 'host.drained' })
      .first()
      .getByRole('link', { name: hostName, exact: true })
      .waitFor();
    const ended = facts.filter({ hasText: 'agent.gone' });
    await ended.getByRole('link', { name: 'short-lived', exact: true }).waitFor();
  });
});
