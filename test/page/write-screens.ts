// `npm run screens`: pictures of the page for docs/screens/, of a service with scripted agents. Each screen is one
// function; named ones alone are taken by `npm run screens -- pane review`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discuss } from './review-cast.ts';
import { type Stage, setStage } from './stage.ts';
import { workScreens } from './work-screens.ts';

const folder = fileURLToPath(new URL('../../docs/screens', import.meta.url));

/** The agents that the pictures show, by name. */
type Cast = Readonly<Record<'asking' | 'working' | 'held' | 'author', string>>;

/** Each picture: what it is called, if it is taken, and what must be seen by then. */
const screens: Readonly<Record<string, (stage: Stage, cast: Cast) => Promise<void>>> = {
  async roster(stage, { asking }) {
    const page = await stage.open(`/agents/${asking}`);
    await page.getByRole('button', { name: '1 Yes' }).waitFor();
    await page.screenshot({ path: join(folder, 'roster.png') });
  },
  async rosterDark(stage, { working }) {
    const page = await stage.open(`/agents/${working}`, { colorScheme: 'dark' });
    await page.getByText('shop', { exact: true }).waitFor();
    await page.screenshot({ path: join(folder, 'roster-dark.png') });
  },
  async phone(stage) {
    const page = await stage.open('/', { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });
    await page.getByRole('link', { name: 'login-expiry' }).waitFor();
    await page.screenshot({ path: join(folder, 'roster-phone.png') });
  },
  async pane(stage, { asking }) {
    const page = await stage.open(`/agents/${asking}/pane`);
    await page.locator('.xterm-rows').getByText('Do you want to make this edit').waitFor();
    await page.getByText('no other rule nearly matched').waitFor();
    await page.screenshot({ path: join(folder, 'pane.png') });
  },
  async takenOver(stage, { held }) {
    const page = await stage.open(`/agents/${held}/pane`, { colorScheme: 'dark' });
    await page.getByText('scripted/').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.type('run the search test 200 times');
    await page.locator('.xterm-rows').getByText('200 times').waitFor();
    await page.screenshot({ path: join(folder, 'pane-taken-over.png') });
  },
  async review(stage, { author }) {
    const page = await stage.open(`/agents/${author}/review`);
    await page.getByText('by law').first().waitFor();
    await page.screenshot({ path: join(folder, 'review.png') });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByLabel('Compared with').selectOption({ index: 1 });
    await page.getByRole('checkbox', { name: 'Side by side' }).check();
    await page.locator('.diff-split .diff-code-delete .token').first().waitFor();
    await page
      .locator('.diff-split')
      .last()
      .evaluate((rows) => rows.scrollIntoView({ block: 'end' }));
    await page.screenshot({ path: join(folder, 'review-between-rounds.png') });
    const phone = {
      viewport: { width: 390, height: 700 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    } as const;
    const small = await stage.open(`/agents/${author}/review`, phone);
    await small.getByText('Round the sum once').scrollIntoViewIfNeeded();
    await small.locator('.hunk .token').first().waitFor();
    await small.screenshot({ path: join(folder, 'review-phone.png') });
  },
  async machines(stage, { author, working }) {
    const to = (name: string) => ({ path: join(folder, `${name}.png`) });
    const page = await stage.open(`/machines/agent?id=${author}`, { viewport: { width: 1500, height: 950 } });
    await page.locator('.state[data-state="live.idle"][data-lit="true"]').waitFor();
    await page.getByRole('region', { name: 'Changes of this transition' }).waitFor();
    await page.screenshot(to('machines-light'));
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.keyboard.press('Escape');
    await page.locator('.state[data-state="live.thinking"] .count').waitFor();
    await page.screenshot(to('machines-dark'));
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const small = await stage.open(`/machines/agent?id=${working}`, phone);
    await small.locator('.state[data-state="live.thinking"][data-lit="true"]').waitFor();
    await small.getByRole('region', { name: 'What could happen next' }).getByText('PANE_GONE').waitFor();
    await small.screenshot(to('machines-phone'));
  },
  ...workScreens(folder),
};

mkdirSync(folder, { recursive: true });
const stage = await setStage();
try {
  const cast = await castOf(stage);
  await discuss(stage, cast.author);
  const wanted = process.argv.slice(2);
  for (const [name, take] of Object.entries(screens)) {
    if (wanted.length === 0 || wanted.includes(name)) await take(stage, cast);
  }
} finally {
  await stage.stop();
}

/** A fleet at work on a shop: some at it, some at rest, two that wait. */
async function castOf({ launch, until, call }: Stage): Promise<Cast> {
  const alone = { role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false };
  const lead = await launch('lead', 'work: carry the checkout rewrite through', alone);
  const asking = await launch('login-expiry', 'ask whether the session check may be edited');
  const working = await launch('payment-retries', 'work: make payment retries idempotent');
  const held = await launch('flaky-search', 'find out why the search test is flaky');
  const mailed = await launch('invoice-pdf', 'work: render invoices without the browser');
  const author = await launch('price-rounding', 'round prices as the tax office does');
  await Promise.all([until(lead, 'THINKING'), until(asking, 'WAITING'), until(working, 'THINKING')]);
  await Promise.all([until(held, 'IDLE'), until(mailed, 'THINKING'), until(author, 'IDLE')]);
  const reviewing = { role: 'AGENT_ROLE_REVIEWER' };
  const reviewer = await launch('price-review', 'deploy what rounds prices', { ...reviewing, parentAgentId: author });
  const other = await launch('search-review', 'read it', { ...reviewing, parentAgentId: held });
  await Promise.all([until(reviewer, 'WAITING'), until(other, 'IDLE')]);
  await call('MarkAgent', { agentId: asking, mark: 'l' });
  await call('MarkAgent', { agentId: working, mark: 'p' });
  await call('SendMail', { agentId: mailed, body: 'The template moved.' });
  await call('HoldAgent', { agentId: held });
  return { asking, working, held, author };
}
