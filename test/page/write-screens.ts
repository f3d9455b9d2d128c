// `npm run screens`: pictures of the page for docs/screens/, of a service with scripted agents. Each screen is one function.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Stage, setStage } from './stage.ts';

const folder = fileURLToPath(new URL('../../docs/screens', import.meta.url));

/** The agents that the pictures show, by name. */
type Cast = Readonly<Record<'asking' | 'working', string>>;

/** Each picture: what it is called, where it is taken, and what must be seen by then. */
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
};

mkdirSync(folder, { recursive: true });
const stage = await setStage();
try {
  const cast = await castOf(stage);
  for (const take of Object.values(screens)) await take(stage, cast);
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
  const reviewer = await launch('price-review', 'ask how prices are rounded', { ...reviewing, parentAgentId: author });
  const other = await launch('search-review', 'read it', { ...reviewing, parentAgentId: held });
  await Promise.all([until(reviewer, 'WAITING'), until(other, 'IDLE')]);
  await call('MarkAgent', { agentId: asking, mark: 'l' });
  await call('MarkAgent', { agentId: working, mark: 'p' });
  await call('SendMail', { agentId: mailed, body: 'The template moved.' });
  await call('HoldAgent', { agentId: held });
  await call('StartReviewRound', { agentId: author });
  return { asking, working };
}
