import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { colorSchemes, faultsFoundByAxe } from '../axe.ts';
import { outOfReach, smallLetters } from '../legible.ts';
import type { Stage } from '../stage.ts';

/** Screens, and what is seen there once each is whole. A soak goes through all of them. */
const screens = [
  ['/', '.roster-row'],
  ['/hosts', '.meter-text'],
  ['/facts', '[aria-label="Facts"] li'],
  ['/schedules', '.empty'],
] as const;

/** Tests the list of agents, on a stage without agents. */
export function testRoster(stageOf: () => Stage): void {
  describe('the roster', () => {
    let stage: Stage;
    let page: Page;
    const ids: Record<string, string> = {};
    before(async () => {
      stage = stageOf();
      await stage.clear();
      const launched = await Promise.all([
        stage.launch('login-expiry', 'ask whether the session check may be edited', { provisionEnabled: false }),
        stage.launch('payment-retries', 'work: make payment retries idempotent'),
        stage.launch('flaky-search', 'find out why the search test is flaky'),
      ]);
      const [asking = '', working = '', resting = ''] = launched;
      Object.assign(ids, { asking, working, resting });
      await Promise.all([
        stage.until(asking, 'WAITING'),
        stage.until(working, 'THINKING'),
        stage.until(resting, 'IDLE'),
      ]);
      const more = { parentAgentId: resting, role: 'AGENT_ROLE_REVIEWER' };
      const child = await stage.launch('search-review', 'read it', more);
      Object.assign(ids, { child });
      await stage.until(child, 'IDLE');
      page = await stage.open();
    });
    after(() => page?.context().close());
    afterEach(() => expect(stage.faults).to.deep.equal([]));

    const names = (of: Page = page) => of.locator('.roster-row .name').allInnerTexts();
    // A child's row holds its parent's branch, and so its name.
    const row = (name: string, of: Page = page) =>
      of.getByRole('row').filter({ has: of.locator('.name').getByText(name, { exact: true }) });
    const asked = {
      edit: 'Edit file src/login.ts · Do you want to make this edit to login.ts?',
      deploy: 'Bash command · npm run deploy -- --to staging · Do you want to proceed?',
    };
    const icon = () => page.locator('link[rel="icon"]').getAttribute('href');

    it('lists agents as a tree, waiting ones first, with state, time, question or activity, and harness', async () => {
      await row('search-review').waitFor();
      expect(await names()).to.deep.equal(['login-expiry', 'flaky-search', 'search-review', 'payment-retries']);
      const cells = await row('login-expiry').getByRole('gridcell').allInnerTexts();
      expect(cells.slice(1, 3)).to.deep.equal(['login-expiry', 'Waiting']);
      expect(cells[3]).to.match(/^\d+[sm]$/);
      expect(cells[4]).to.equal(asked.edit);
      expect(cells[5]).to.equal('scripted');
      const working = await row('payment-retries').getByRole('gridcell').allInnerTexts();
      expect(working[4], 'its task; its branch only repeats its name').to.equal(
        'work: make payment retries idempotent',
      );
      expect(await row('search-review').getAttribute('aria-level')).to.equal('2');
      await moment('the time to go on', async () => {
        return (await row('login-expiry').getByRole('gridcell').nth(3).textContent()) !== cells[3];
      });
    });

    inSoak('replaces a question by the next one, in the list, in the panel, and on a phone', async () => {
      const id = await stage.launch('both-questions', 'both, one after the other', { provisionEnabled: false });
      await row('both-questions').getByText(asked.edit).waitFor();
      const phone = await stage.open('/', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
      const onPhone = row('both-questions', phone).locator('.detail');
      await onPhone.getByText(asked.edit).waitFor();
      const { height = 0 } = (await onPhone.boundingBox()) ?? {};
      expect(height, 'two lines at most').to.be.within(30, 42);
      await row('both-questions').click();
      const panel = page.getByRole('complementary');
      await panel.locator('.asks').getByText(asked.edit).waitFor();
      await panel.getByRole('button', { name: '1 Yes' }).click();
      await row('both-questions').getByText(asked.deploy).waitFor();
      await panel.locator('.asks').getByText(asked.deploy).waitFor();
      await onPhone.getByText(asked.deploy).waitFor();
      expect(await row('both-questions').getByText(asked.edit).count()).to.equal(0);
      // A click right after the question has changed is refused: there was no time to read it.
      await moment('it is answered', async () => {
        const yes = panel.getByRole('button', { name: '1 Yes' });
        if (await yes.isVisible()) await yes.click({ timeout: 1_000 }).catch(() => undefined);
        return row('both-questions').getByText('Thinking').isVisible();
      });
      // What it asked is gone: its task is there again.
      const [detail = ''] = await row('both-questions').locator('.detail').allInnerTexts();
      expect(detail).to.equal('both, one after the other');
      await phone.context().close();
      await page.keyboard.press('Escape');
      await stage.call('DeleteAgent', { agentId: id, force: true });
      await row('both-questions').waitFor({ state: 'detached' });
    });

    inSoak('fits a row with many icons into its height', async () => {
      await stage.call('HoldAgent', { agentId: ids['resting'] });
      for (let mail = 0; mail < 12; mail += 1) await stage.call('SendMail', { agentId: ids['resting'], body: 'one' });
      const around = row('flaky-search').locator('.around');
      await around.getByTitle('12 unread mails').waitFor();
      const overflow = await around.evaluate((cell) => cell.scrollWidth - cell.clientWidth);
      expect(overflow).to.equal(0);
      expect((await around.locator('.signs').boundingBox())?.height).to.be.below(34);
      // A count is never cut off, however narrow the row.
      const cut = await around.locator('.signs').evaluate((signs) => {
        signs.style.width = '70px';
        const count = signs.querySelector('[data-icon="mail"] .sign-text');
        return (count?.scrollWidth ?? 0) - (count?.clientWidth ?? 0);
      });
      expect(cut).to.equal(0);
      await stage.call('UnholdAgent', { agentId: ids['resting'] });
    });

    it('counts waiting agents in the title and shows them in the icon', async () => {
      expect(await page.title()).to.equal('(1) muster');
      expect(await icon()).to.match(/waiting/);
    });

    it('navigates by keyboard: to the next agent, to the next waiting one, and back', async () => {
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: 'login-expiry' }).waitFor();
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: 'flaky-search' }).waitFor();
      await page.keyboard.press('w');
      await page.getByRole('heading', { name: 'login-expiry' }).waitFor();
      expect(await row('login-expiry').getAttribute('aria-selected')).to.equal('true');
      await page.getByRole('treegrid').focus();
      await page.keyboard.press('End');
      await page.getByRole('heading', { name: 'payment-retries' }).waitFor();
      expect(await page.getByRole('treegrid').getAttribute('aria-activedescendant')).to.equal(`row-${ids['working']}`);
      await page.keyboard.press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
    });

    it('finds by words, by kind, and by mark', async () => {
      await page.keyboard.press('/');
      await page.keyboard.type('search');
      await row('payment-retries').waitFor({ state: 'detached' });
      expect(await names()).to.deep.equal(['flaky-search', 'search-review']);
      await page.keyboard.press('Escape');
      await row('payment-retries').waitFor();
      await page.getByRole('button', { name: '1 thinking' }).click();
      await row('flaky-search').waitFor({ state: 'detached' });
      expect(await names()).to.deep.equal(['payment-retries']);
      await page.getByRole('button', { name: '1 thinking' }).click();
      await row('payment-retries').click();
      await page.getByRole('heading', { name: 'payment-retries' }).waitFor();
      await page.keyboard.press('m');
      await page.keyboard.press('q');
      await row('payment-retries').getByTitle('mark q').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press("'");
      await page.keyboard.press('q');
      await page.getByRole('heading', { name: 'payment-retries' }).waitFor();
      await page.keyboard.press("'");
      await page.keyboard.press('y');
      await page.getByText('No agent has the mark y').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.keyboard.press('Escape');
    });

    it('keeps two tabs in sync', async () => {
      const other = await page.context().newPage();
      await other.goto(stage.pageUrl);
      await row('payment-retries', other).waitFor();
      await other.getByRole('link', { name: 'flaky-search' }).click();
      await other.getByRole('button', { name: 'Hold' }).click();
      await row('flaky-search').getByText('held', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'flaky-search' }).click();
      await page.getByRole('button', { name: 'Give back' }).click();
      await other.getByRole('button', { name: 'Hold' }).waitFor();
      await other.close();
      await page.keyboard.press('Escape');
    });

    it('is unchanged after a reload', async () => {
      await page.getByRole('link', { name: 'login-expiry' }).click();
      await page.getByRole('heading', { name: 'login-expiry' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'login-expiry' }).waitFor();
      await row('payment-retries').waitFor();
      expect(await names()).to.deep.equal(['login-expiry', 'flaky-search', 'search-review', 'payment-retries']);
      await page.goBack();
      await page.getByRole('complementary').waitFor({ state: 'detached' });
    });

    it('reports a lost connection, and catches up afterwards', async () => {
      const launched = await stage.launch('meanwhile', 'ask in the dark');
      await stage.pieces.kill('gateway');
      await page.getByRole('alert').getByText('Connection lost.').waitFor();
      expect(await icon()).to.match(/lost/);
      await page.getByRole('link', { name: 'payment-retries' }).click();
      await page.keyboard.press('i');
      await page.getByText('Interrupt payment-retries: muster did not answer').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.keyboard.press('Escape');
      await stage.pieces.start('gateway');
      await page.getByText('live', { exact: true }).waitFor();
      await stage.until(launched, 'WAITING');
      await row('meanwhile').getByText('Waiting').waitFor();
      expect(await page.getByRole('alert').count()).to.equal(0);
      await moment('the title to count two', async () => (await page.title()) === '(2) muster');
      await stage.call('DeleteAgent', { agentId: launched, force: true });
      await row('meanwhile').waitFor({ state: 'detached' });
    });

    it('passes axe in light and dark, with each dialog open, and on a phone, where it is legible and in reach', async () => {
      for (const colorScheme of colorSchemes) {
        await page.emulateMedia({ colorScheme });
        expect(await faultsFoundByAxe(page), `list, ${colorScheme}`).to.deep.equal([]);
        await page.getByRole('link', { name: 'login-expiry' }).click();
        await page.getByRole('button', { name: '1 Yes' }).waitFor();
        expect(await faultsFoundByAxe(page), `agent, ${colorScheme}`).to.deep.equal([]);
        for (const [key, title] of [
          ['n', 'Launch an agent'],
          ['?', 'Keys'],
          ['e', 'Archive login-expiry?'],
        ] as const) {
          await page.keyboard.press(key);
          await page.getByRole('dialog', { name: title }).waitFor();
          expect(await faultsFoundByAxe(page), `${title}, ${colorScheme}`).to.deep.equal([]);
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }
        await page.keyboard.press('Escape');
      }
      await page.emulateMedia({ colorScheme: 'light' });
      const phone = await stage.open('/', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
      await row('login-expiry', phone).waitFor();
      expect(await faultsFoundByAxe(phone), 'phone').to.deep.equal([]);
      await phone.getByRole('link', { name: 'login-expiry' }).tap();
      await phone.getByRole('button', { name: '1 Yes' }).waitFor();
      expect(await faultsFoundByAxe(phone), 'agent on a phone').to.deep.equal([]);
      const width = await phone.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).to.equal(390);
      // A question and all of its choices are seen together.
      const lowest = await phone.getByRole('button', { name: /^3 No/ }).boundingBox();
      expect((lowest?.y ?? Number.NaN) + (lowest?.height ?? 0)).to.be.at.most(780);
      await phone.getByRole('link', { name: 'Back to all agents' }).tap();
      await row('payment-retries', phone).waitFor();
      for (const [path, seen] of screens) {
        await phone.goto(stage.pageUrl + path);
        await phone.locator(seen).first().waitFor();
        expect([...(await smallLetters(phone)), ...(await outOfReach(phone))], path).to.deep.equal([]);
      }
      await phone.context().close();
    });

    it('shows nothing without a session, and explains how to sign in', async () => {
      const context = await stage.browser.newContext();
      const notNats = await context.newPage();
      await notNats.goto(stage.pageUrl);
      await notNats.getByText('muster open').waitFor();
      expect(await faultsFoundByAxe(notNats)).to.deep.equal([]);
      const address = await stage.signInAddress();
      await notNats.goto(address);
      await row('payment-retries', notNats).waitFor();
      expect(notNats.url()).not.to.include('code');
      await notNats.getByRole('button', { name: 'Settings' }).click();
      await notNats.getByRole('button', { name: 'Sign out of this browser' }).click();
      await notNats.getByText('This browser is not signed in').waitFor();
      await notNats.goto('about:blank');
      await notNats.goto(address);
      await notNats.getByRole('alert').getByText('was used already').waitFor();
      await context.close();
    });
  });
}
