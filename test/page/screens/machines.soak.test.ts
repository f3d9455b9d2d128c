import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { colorSchemes, faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

describe('the machines on the page', () => {
  let stage: Stage;
  let page: Page;
  let asking: string;
  let resting: string;
  before(async () => {
    stage = await setStage();
    [asking, resting] = await Promise.all([
      stage.launch('login-expiry', 'ask whether the session check may be edited'),
      stage.launch('flaky-search', 'find out why the search test is flaky'),
    ]);
    await Promise.all([stage.until(asking, 'WAITING'), stage.until(resting, 'IDLE')]);
    page = await stage.open('/machines', { viewport: { width: 1500, height: 950 } });
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const state = (id: string) => page.locator(`.state[data-state="${id}"]`);
  const isLit = (id: string) => state(id).getAttribute('data-lit');
  const said = () => page.locator('.instance-state').textContent();

  it('show the number of instances in each state, all machines from one list', async () => {
    await state('live.idle').waitFor();
    expect(page.url()).to.match(/\/machines\/agent$/);
    await moment('the counts', async () => (await state('live.waiting').locator('.count').textContent()) === '1');
    expect(await state('live').locator('.count').first().textContent()).to.equal('2');
    await page.getByRole('navigation', { name: 'State machines' }).getByRole('link', { name: 'Host' }).click();
    await state('online').waitFor();
    await moment('the host', async () => (await state('online').locator('.count').textContent()) === '1');
    await page.getByRole('navigation', { name: 'State machines' }).getByRole('link', { name: 'Agent' }).click();
    await state('live.idle').waitFor();
  });

  it('highlight an instance’s state, and show its history with effects and facts', async () => {
    await page
      .getByRole('region', { name: 'Instances' })
      .getByRole('link', { name: /login-expiry/ })
      .click();
    await moment('the state to be lit', async () => (await isLit('live.waiting')) === 'true');
    expect([await isLit('live'), await isLit('live.idle')]).to.deep.equal(['true', 'false']);
    const moves = page.getByRole('region', { name: 'Transitions' });
    await moves.getByText('openWindow', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'login-expiry' }).waitFor();
    const asked = moves.getByRole('listitem').filter({ hasText: '→ live.waiting' });
    expect(await asked.textContent()).to.match(/(READING|BRIEFED).*agent\.phase-moved/);
    await asked.getByRole('button').click();
    await moment('the way to it to be lit', async () => (await page.locator('[data-taken="true"]').count()) > 0);
    expect(await isLit('live.waiting')).to.equal('true');
  });

  it('follow an instance’s transitions live', async () => {
    const before = await page.locator('.moves > li').count();
    await page.goto(`${stage.pageUrl}/machines/agent?id=${resting}`);
    await moment('the state to be lit', async () => (await isLit('live.idle')) === 'true');
    const started = performance.now();
    await stage.call('HoldAgent', { agentId: resting });
    await page.locator('.moves > li').first().getByText('HOLD').waitFor();
    expect(performance.now() - started).to.be.below(5_000);
    await stage.call('UnholdAgent', { agentId: resting });
    await page.locator('.moves > li').first().getByText('UNHOLD').waitFor();
    expect(before).to.be.above(2);
  });

  it('go back to any moment by keyboard, show what could have happened then, and return to now', async () => {
    const slider = page.getByRole('slider', { name: /Moment/ });
    await slider.focus();
    await page.keyboard.press('Home');
    await moment('the first moment', async () => /settingUp\.provisioning then/.test((await said()) ?? ''));
    expect(await isLit('settingUp.provisioning')).to.equal('true');
    expect(await isLit('live.idle')).to.equal('false');
    const next = page.getByRole('region', { name: 'What could happen next' });
    await next.getByRole('button', { name: /WORKTREE_READY/ }).waitFor();
    await page.keyboard.press('ArrowRight');
    await moment('the second moment', async () => /settingUp\.opening\s+then/i.test((await said()) ?? ''));
    expect(page.url()).to.match(/[?&]seq=\d+/);
    await next.getByRole('button', { name: /WINDOW_OPENED/ }).focus();
    expect(await state('settingUp.briefing.delivering').getAttribute('data-ahead')).to.equal('true');
    await page.getByRole('button', { name: 'Now' }).click();
    await moment('now', async () => /live\.idle\s+now/i.test((await said()) ?? ''));
    expect(page.url()).not.to.include('seq=');
  });

  inSoak('show the context changes of each transition and of each possible event', async () => {
    await page.getByRole('slider', { name: /Moment/ }).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const changed = page.getByRole('region', { name: 'Changes of this transition' });
    await changed.getByText('worktree', { exact: false }).first().waitFor();
    expect(await changed.textContent()).to.match(/nothing/);
    await page.getByText('Context').click();
    const remembered = async () => (await page.locator('.instance-panel details pre').last().textContent()) ?? '';
    expect(await remembered())
      .to.include('"worktree"')
      .and.not.include('"paneId"');
    await page.keyboard.press('l');
    await moment('now', async () => /live\.idle\s+now/i.test((await said()) ?? ''));
    await moment('the pane', async () => (await remembered()).includes('"paneId"'));
    await page.keyboard.press('ArrowLeft');
    await moment('one back', async () => / then/.test((await said()) ?? ''));
    await page.keyboard.press('l');
    const next = page.getByRole('region', { name: 'What could happen next' });
    await next.getByRole('listitem').filter({ hasText: 'HOLD' }).locator('.change').first().waitFor();
  });

  it('find instances by words and by a click on a state, and keep that in the address', async () => {
    await page.keyboard.press('Escape');
    await page.locator('.instance-panel').waitFor({ state: 'detached' });
    const instances = page.getByRole('list', { name: 'Instances' }).getByRole('listitem');
    const names = async () => (await instances.locator('span:first-child').allInnerTexts()).sort().join();
    await moment('both', async () => (await names()) === 'flaky-search,login-expiry');
    await page.keyboard.press('/');
    await page.keyboard.type('login WAITING');
    await moment('the one', async () => (await names()) === 'login-expiry');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(resting);
    await moment('the other, by its id', async () => (await names()) === 'flaky-search');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('nobody');
    await page.getByText('No matches.').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Escape');
    await state('live.waiting').locator('.name').click();
    await moment('those that wait', async () => (await names()) === 'login-expiry');
    expect(page.url()).to.match(/\?state=live\.waiting$/);
    await page.reload();
    await moment('the same', async () => (await names()) === 'login-expiry');
    await page
      .getByRole('group', { name: 'Only in this state' })
      .getByRole('button', { name: /live\.idle/ })
      .click();
    await moment('those at rest', async () => (await names()) === 'flaky-search');
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: 'agent flaky-search' }).waitFor();
  });

  inSoak('zoom charts by keys, buttons and wheel, and keep the highlighted state in view', async () => {
    const chart = page.getByRole('region', { name: 'Chart of agent' });
    const width = async () => (await page.locator('.chart').boundingBox())?.width ?? 0;
    const isSeen = async () => {
      const [own, lit] = [await chart.boundingBox(), await state('live.idle').locator('rect').boundingBox()];
      if (own === null || lit === null) return false;
      const isIn = (low: number, size: number, from: number, room: number) => low >= from && low + size <= from + room;
      return isIn(lit.x, lit.width, own.x, own.width) && isIn(lit.y, lit.height, own.y, own.height);
    };
    await moment('the lit state to be in view', isSeen);
    const zoom = page.getByTitle('Original size');
    await moment('the letters to be readable, beside the panel', async () => (await zoom.textContent()) === '100%');
    const laidOut = await width();
    await page.keyboard.press('+');
    await moment('a larger one', async () => (await width()) > laidOut * 1.2);
    await moment('the lit state to stay in view', isSeen);
    await page.keyboard.press('0');
    const isWhole = () =>
      chart.evaluate((section) => {
        return section.scrollWidth <= section.clientWidth && section.scrollHeight <= section.clientHeight;
      });
    await moment('the whole of it to be seen', isWhole);
    await moment('the lit state to be in view', isSeen);
    await zoom.click();
    await moment('as it was', async () => Math.abs((await width()) - laidOut) < 2);
    await chart.hover();
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -60);
    await page.keyboard.up('Control');
    await moment('larger by the wheel', async () => (await width()) > laidOut * 1.2);
    await page.keyboard.press('1');
    await moment('as it was once more', async () => Math.abs((await width()) - laidOut) < 2);
    const scrolled = () => chart.evaluate((section) => section.scrollTop);
    await moment('the lit state to stay in view', isSeen);
    let before = -1;
    await moment('the chart to rest', async () => {
      const [last, now] = [before, await scrolled()];
      before = now;
      return last === now;
    });
    const { x, y } = (await chart.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 200, y + 300);
    await page.mouse.down();
    await page.mouse.move(x + 200, y + 200, { steps: 4 });
    await page.mouse.up();
    expect(await scrolled()).to.equal(before + 100);
    expect(page.url(), 'dragging chooses no state').to.include(resting);
  });

  it('are copied as Mermaid, and as a link to the same moment', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy as Mermaid' }).click();
    await moment('the diagram', async () => (await clipboard()).startsWith('stateDiagram-v2'));
    await page.locator('.moves > li').filter({ hasText: 'BRIEFED' }).getByRole('button').click();
    await moment('the moment', async () => /live\.\w+\s+then/i.test((await said()) ?? ''));
    const then = await said();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await moment('the link', async () => /machines\/agent\?id=.*seq=\d+$/.test(await clipboard()));
    const link = await clipboard();
    await page.goto(stage.pageUrl);
    await page.goto(link);
    await moment('the same moment', async () => (await said()) === then);
    await page.getByRole('button', { name: 'Now' }).click();
  });

  inSoak('recover after the connection was lost', async () => {
    await page.context().setOffline(true);
    await stage.call('HoldAgent', { agentId: resting });
    await page.context().setOffline(false);
    await page.locator('.moves > li').first().getByText('HOLD', { exact: true }).waitFor({ timeout: 30_000 });
    await stage.call('UnholdAgent', { agentId: resting });
    await page.locator('.moves > li').first().getByText('UNHOLD').waitFor({ timeout: 30_000 });
  });

  it('pass axe, in light and dark, and on a phone', async () => {
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsFoundByAxe(page), colorScheme).to.deep.equal([]);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    const place = await page.getByRole('region', { name: 'Chart of agent' }).boundingBox();
    await moment('the lit state to be in view on a phone', async () => {
      const lit = await page.locator('.state[data-lit="true"][data-kind="state"] > rect').first().boundingBox();
      if (lit === null || place === null) return false;
      return lit.x >= place.x && lit.x + lit.width <= place.x + place.width && lit.y >= place.y;
    });
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide).to.equal(false);
  });
});
