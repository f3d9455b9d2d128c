import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { phone } from '../pictures/views.ts';
import { type Stage, setStage } from '../stage.ts';

/** The least size of a letter, and of what a finger is to hit, in pixels. */
const least = { letter: 12, target: 40 } as const;

describe('the screens of the page', function () {
  this.timeout(90_000);
  let stage: Stage;
  /** Where each is, and what is seen there once it is whole. */
  let screens: readonly (readonly [path: string, seen: string])[];
  before(async () => {
    stage = await setStage();
    const agentId = await stage.launch('login-expiry', 'rest');
    await stage.until(agentId, 'IDLE');
    const { workflows } = await stage.call<{ workflows: { id: string; name: string }[] }>(
      'workflow.v1.WorkflowService/ListWorkflows',
      {},
    );
    const workflowId = workflows.find(({ name }) => name === 'shop')?.id;
    const { schedule } = await stage.call<{ schedule: { id: string } }>('schedule.v1.ScheduleService/CreateSchedule', {
      name: 'weekly-report',
      cron: '30 16 * * FRI',
      prompt: 'rest',
      workflowId,
      timezone: 'America/New_York',
    });
    screens = [
      ['/', '.roster-row'],
      [`/agents/${agentId}`, '.panel h2'],
      [`/agents/${agentId}/pane`, '.xterm-rows'],
      [`/workflows/${workflowId}`, '.panel h2'],
      ['/schedules', '.schedule .code'],
      [`/schedules/${schedule.id}`, '.panel h2'],
      ['/machines/agent', '.instance .muted'],
      [`/machines/agent?id=${agentId}`, '.moves .move'],
      ['/hosts', '.meter-text'],
      ['/facts', '[aria-label="Facts"] li'],
      ['/runs', '.split-head'],
    ];
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const show = async (page: Page, [path, seen]: readonly [string, string]): Promise<void> => {
    await page.goto(stage.pageUrl + path);
    await page.locator(seen).first().waitFor();
  };

  it('have letters that can be read', async () => {
    const page = await stage.open('/');
    const small: string[] = [];
    for (const screen of screens) {
      await show(page, screen);
      small.push(...(await smallLetters(page)).map((text) => `${screen[0]}: ${text}`));
    }
    expect(small).to.deep.equal([]);
  });

  it('can be used with a thumb, and nothing of them is beyond the edge', async () => {
    const page = await stage.open('/', phone);
    const faults: string[] = [];
    for (const screen of screens) {
      await show(page, screen);
      faults.push(...(await outOfReach(page)).map((text) => `${screen[0]}: ${text}`));
    }
    expect(faults).to.deep.equal([]);
  });

  it('name the time zone of a schedule in full beside its panel', async () => {
    const page = await stage.open('/schedules');
    await page.getByRole('link', { name: 'weekly-report' }).click();
    await page.getByRole('complementary').waitFor();
    const zone = page.locator('.schedule-name .code');
    await zone.getByText('America/New_York').waitFor();
    expect(await zone.evaluate((text) => text.scrollWidth - text.clientWidth)).to.equal(0);
  });
});

/** The texts whose letters are too small, save in a terminal and in a chart, which are enlarged on their own. */
function smallLetters(page: Page): Promise<string[]> {
  return page.evaluate((size) => {
    const texts = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      return own && element.checkVisibility() && element.closest('svg, .xterm, .unseen') === null;
    });
    const small = texts.filter((element) => Number.parseFloat(getComputedStyle(element).fontSize) < size);
    return small.map((element) => `${element.textContent} (${getComputedStyle(element).fontSize})`);
  }, least.letter);
}

/** What is too small for a finger, and what is beyond the right edge and not in something that scrolls. */
function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate((size) => {
    const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent ?? '';
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const targets = [...document.querySelectorAll('.button, .quiet, .chip, .tab, .back, .move, select')];
    const low = targets.filter((target) => {
      const { height } = target.getBoundingClientRect();
      return height > 0 && height < size;
    });
    const all = [...document.querySelectorAll('main input, main button, main a, main h2, main p')];
    const beyond = all.filter((element) => {
      return element.getBoundingClientRect().right > window.innerWidth + 1 && !scrolls(element.parentElement);
    });
    return [
      ...low.map((target) => `low: ${nameOf(target)}`),
      ...beyond.map((element) => `beyond the edge: ${nameOf(element)}`),
    ];
  }, least.target);
}
