import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inSoak } from '#test/support/soak.ts';
import { colorSchemes, faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

const service = 'schedule.v1.ScheduleService';

describe('schedules on the page', () => {
  let stage: Stage;
  let page: Page;
  let shop = '';
  before(async () => {
    stage = await setStage();
    const { workflows } = await stage.call<{ workflows: { id: string; name: string }[] }>(
      'workflow.v1.WorkflowService/ListWorkflows',
      {},
    );
    shop = workflows.find(({ name }) => name === 'shop')?.id ?? '';
    await create('nightly', '0 2 * * *');
    await create('often', '*/5 * * * *', { paused: true });
    page = await stage.open('/schedules');
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const create = async (name: string, cron: string, more: object = {}): Promise<string> => {
    const request = { name, cron, timezone: 'Europe/Paris', prompt: 'tidy up', workflowId: shop, ...more };
    return (await stage.call<{ schedule: { id: string } }>(`${service}/CreateSchedule`, request)).schedule.id;
  };
  const row = (name: string) =>
    page
      .getByRole('list', { name: 'Schedules' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name, exact: true }) });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('are listed with state, next time and coming days, as the service computes them', async () => {
    await row('nightly')
      .getByText(/^in \d/)
      .waitFor();
    const { coming } = await stage.call<{ coming: { times: string[] }[] }>(`${service}/ListComingFirings`, {});
    expect(coming).to.have.length(1);
    const said = await row('nightly').getByRole('img').getAttribute('aria-label');
    expect(said).to.match(/^nightly fires [67] times in these days, next \w+ \d+ \w+, 0[0-2]:00$/);
    await row('often').getByText('paused', { exact: true }).waitFor();
    expect(await row('often').getByRole('img').getAttribute('aria-label')).to.equal(
      'often does not fire in these days',
    );
  });

  it('are created by keyboard: refusals are at their field, the coming times are shown first', async () => {
    await press('n');
    const dialog = page.getByRole('dialog', { name: 'New schedule' });
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('nightly');
    await press('Tab');
    await page.keyboard.type('0 9 * * MON-FRIDAYS');
    await dialog.getByRole('alert').getByText('day of week').waitFor();
    expect(await dialog.getByLabel('Cron').getAttribute('aria-invalid')).to.equal('true');
    await dialog.getByLabel('Cron').fill('0 9 * * MON-FRI');
    await press('Tab');
    await page.keyboard.type('Asia/Tokyo');
    await dialog.getByText('on the clock of Asia/Tokyo').waitFor();
    const times = await dialog.locator('output').getByRole('listitem').allInnerTexts();
    expect(times).to.have.length(5);
    for (const time of times) expect(time).to.match(/^(Mon|Tue|Wed|Thu|Fri) \d+ \w+, 09:00$/);
    await press('Tab');
    await page.keyboard.type('look at the dependencies');
    await dialog.getByLabel('Workflow').selectOption({ label: 'shop (scripted)' });
    await button('Create').click();
    await dialog.getByRole('alert').getByText('has the name "nightly" already').waitFor();
    expect(await dialog.getByLabel('Name').getAttribute('aria-invalid')).to.equal('true');
    await dialog.getByLabel('Name').fill('dependencies');
    await press('Enter');
    await heading('dependencies').waitFor();
    await row('dependencies').waitFor();
  });

  inSoak('show each time’s zone, and the year if it is another one', async () => {
    // Midnight in Paris, and still the last evening of this year in New York.
    const year = new Date().getFullYear();
    const id = await create('yearly', '0 0 1 1 *');
    const far = await stage.open(`/schedules/${id}`, { timezoneId: 'America/New_York' });
    const panel = far.getByRole('complementary', { name: 'Schedule yearly' });
    await panel.getByText(/31 Dec, 18:00 in your timezone \(America\/New_York\)$/).waitFor();
    await panel.getByRole('heading', { name: 'Next times, in Europe/Paris' }).waitFor();
    const times = await panel.locator('.times').getByRole('listitem').allInnerTexts();
    expect(times.map((time) => time.replace(/^\w+,? /, ''))).to.deep.equal(
      [1, 2, 3, 4, 5].map((more) => `1 Jan ${year + more}, 00:00`),
    );
    await far
      .locator('.schedule-next')
      .getByText(/31 Dec, 18:00$/)
      .waitFor();
    await far.context().close();
    await stage.call(`${service}/DeleteSchedule`, { scheduleId: id });
    await row('yearly').waitFor({ state: 'detached' });
  });

  it('fire by mouse; the run and its agent appear live', async () => {
    await row('nightly').getByRole('link').click();
    await heading('nightly').waitFor();
    await button('Fire now').click();
    const runs = page.getByRole('list', { name: 'Runs of nightly' });
    await runs.getByText('completed').waitFor({ timeout: 30_000 });
    await row('nightly').getByText('completed').waitFor();
    await runs.getByRole('link', { name: 'nightly' }).click();
    await page.getByRole('complementary', { name: 'Agent nightly' }).waitFor();
    await page.goBack();
    await heading('nightly').waitFor();
  });

  inSoak('keep an unsaved new one, and drop one that was deleted elsewhere', async () => {
    await press('n');
    const dialog = page.getByRole('dialog', { name: 'New schedule' });
    await dialog.getByLabel('Prompt').fill('took long to write');
    await press('Escape', 'n');
    expect(await dialog.getByLabel('Prompt').inputValue()).to.equal('took long to write');
    await dialog.getByLabel('Prompt').fill('');
    await press('Escape');
    const scheduleId = await create('passing', '0 3 1 1 *');
    await row('passing').getByRole('link').click();
    await heading('passing').waitFor();
    await stage.call(`${service}/DeleteSchedule`, { scheduleId });
    await page.getByRole('complementary').getByText('There is no schedule').waitFor();
    await heading('passing').waitFor({ state: 'detached' });
    await row('nightly').getByRole('link').click();
    await heading('nightly').waitFor();
  });

  inSoak('pause and resume, by key and by mouse, in sync with another tab', async () => {
    const other = await page.context().newPage();
    await other.goto(`${stage.pageUrl}/schedules`);
    const otherRow = other.getByRole('listitem').filter({ hasText: 'nightly' });
    await otherRow.getByText(/^in \d/).waitFor();
    await press('p');
    await page.getByText('paused by a person').waitFor();
    await otherRow.getByText('paused', { exact: true }).waitFor();
    await button('Resume').click();
    await page.getByText('Armed', { exact: true }).waitFor();
    await otherRow.getByText(/^in \d/).waitFor();
    await other.close();
  });

  inSoak('are changed by keyboard, with fields reset to their default', async () => {
    await press('e');
    const dialog = page.getByRole('dialog', { name: 'Edit nightly' });
    await dialog.getByLabel('Cron').fill('30 3 * * *');
    await dialog.getByText('Missed times, overlap, attempts').click();
    await dialog.getByLabel('Attempts').fill('5');
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('definition').getByText('30 3 * * *').waitFor();
    await page.getByRole('definition').getByText('5', { exact: true }).waitFor();
    await press('e');
    await dialog.getByText('Missed times, overlap, attempts').click();
    await dialog.getByLabel('Attempts').fill('');
    await button('Save').click();
    await page.getByRole('definition').getByText('3', { exact: true }).waitFor();
  });

  it('show why a run cannot start, cancel it and retry it', async () => {
    const { hosts } = await stage.call<{ hosts: { id: string }[] }>('host.v1.HostService/ListHosts', {});
    const hostId = hosts[0]?.id;
    await stage.call('host.v1.HostService/DrainHost', { hostId });
    await create('stuck', '0 0 1 1 *');
    await row('stuck').getByRole('link').click();
    await heading('stuck').waitFor();
    await press('f');
    const run = page.getByRole('list', { name: 'Runs of stuck' }).getByRole('listitem');
    await run.getByText('cordoned').waitFor();
    await run.getByRole('button', { name: /^Cancel run/ }).click();
    await run.getByText('cancelled', { exact: true }).waitFor();
    await run.getByText('cancelled by a person').waitFor();
    await stage.call('host.v1.HostService/DrainHost', { hostId, undo: true });
    await run.getByRole('button', { name: /^Retry run/ }).click();
    await run.getByText('completed').waitFor();
    expect(await run.getByRole('button').count()).to.equal(0);
  });

  it('are navigated by keyboard, and deleted after a question', async () => {
    await press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    await press('j');
    await heading('stuck').waitFor();
    await press('Home');
    await heading('dependencies').waitFor();
    await press('ArrowDown');
    await heading('nightly').waitFor();
    await press('Enter');
    await page.getByRole('complementary', { name: 'Schedule nightly' }).and(page.locator(':focus')).waitFor();
    await press('k');
    await heading('dependencies').waitFor();
    await press('d');
    const dialog = page.getByRole('dialog', { name: 'Delete dependencies?' });
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await press('Tab', 'Enter');
    await row('dependencies').waitFor({ state: 'detached' });
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  it('pass axe in light, dark and on a phone, and are unchanged after a reload', async () => {
    await row('nightly').getByRole('link').click();
    await page.reload();
    await heading('nightly').waitFor();
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsFoundByAxe(page), colorScheme).to.deep.equal([]);
    }
    await press('e');
    const dialog = page.getByRole('dialog', { name: 'Edit nightly' });
    await dialog.getByText('Missed times, overlap, attempts').click();
    expect(await faultsFoundByAxe(page), 'the form').to.deep.equal([]);
    await press('Escape');
    const phone = await stage.open('/schedules', {
      viewport: { width: 390, height: 780 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.getByRole('link', { name: 'nightly', exact: true }).waitFor();
    expect(await faultsFoundByAxe(phone), 'phone').to.deep.equal([]);
    await phone.getByRole('link', { name: 'nightly', exact: true }).tap();
    await phone.getByRole('heading', { name: 'nightly' }).waitFor();
    expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390);
    await phone.getByRole('link', { name: 'All schedules' }).tap();
    await phone.getByRole('link', { name: 'often', exact: true }).waitFor();
    await phone.context().close();
  });

  it('have a budget, which is set in their panel', async () => {
    const id = await create('limited', '0 3 * * *');
    const other = await stage.open(`/schedules/${id}`);
    const title = other.getByRole('heading', { name: 'Budget', exact: true });
    const section = other.locator('section', { has: title }).last();
    const set = async (turns: string, minutes: string) => {
      await section.getByRole('button', { name: 'Set budget' }).click();
      await section.getByLabel('Turns a day').fill(turns);
      await section.getByLabel('Minutes at work a day').fill(minutes);
      await section.getByRole('button', { name: 'Set', exact: true }).click();
    };
    await section.getByText('no limits', { exact: true }).waitFor();
    await set('20', '90');
    await section.getByText('0 of 20 turns a day used').waitFor();
    await section.getByText('0 min of 1 h 30 min at work a day used').waitFor();
    await set('', '');
    await section.getByText('no limits', { exact: true }).waitFor();
    await other.close();
  });
});
