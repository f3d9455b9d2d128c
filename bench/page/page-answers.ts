import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { setStage } from '#test/page/stage.ts';
import { moment } from '#test/support/moment.ts';
import type { Homes } from '../stage/homes.ts';
import { loadInWords, report } from '../stage/report.ts';
import { quantile } from '../stage/sample.ts';
import { ScriptedAgents } from '../stage/scripted-agents.ts';

const usualRounds = 40;

/** The minimum time that a question is shown before it is answered, in milliseconds; a random time is added. */
const standsMs = { min: 900, more: 600 } as const;

/** The time from a key on the page until the answer was typed, in milliseconds. */
interface Answers {
  /** One key, for a question that a person had time to read. */
  readonly standing: readonly number[];
  /** The second of two keys at the same moment, which waits for the first. */
  readonly queued: readonly number[];
  /** The last of three keys at the same moment. */
  readonly last: readonly number[];
}

/** Measures how soon answers given on the page are typed. */
export async function benchPageAnswers(_homes: Homes, [rounds = usualRounds]: readonly number[]): Promise<void> {
  tellAnswers(await measureAnswers(rounds));
}

function tellAnswers({ standing, queued, last }: Answers): void {
  report(
    'an answer on the page, from the key until the agent takes it',
    `In ms; ${loadInWords()}. The question has been shown for a second. Target: p95 <= 300 ms. A queued key waits until the previous one shows.`,
    ['answer', 'answers', 'p50', 'p95', 'longest'],
    (
      [
        ['one key', standing],
        ['the second of two keys at once', queued],
        ['the third of three keys at once', last],
      ] as const
    ).map(([what, all]) => [
      what,
      String(all.length),
      ...[0.5, 0.95, 1].map((share) => quantile(all, share).toFixed(0)),
    ]),
  );
}

/** Answers a scripted agent by keys on the page. The agent's own process records when it takes them. */
async function measureAnswers(rounds: number): Promise<Answers> {
  const scripted = new ScriptedAgents();
  await scripted.listen();
  const stage = await setStage({ playerArguments: scripted.arguments });
  try {
    const agentId = await stage.launch('asker', 'work', { provisionEnabscripted: false });
    await scripted.connected([agentId]);
    await stage.until(agentId, 'THINKING');
    const page = await stage.open(`/agents/${agentId}`);
    const standing: number[] = [];
    const queued: number[] = [];
    const last: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const [keys, taken] of [
        [['1'], standing],
        [['ArrowDown', 'Enter'], queued],
        [['ArrowDown', 'ArrowUp', 'Enter'], last],
      ] as const) {
        await asked(page, scripted, agentId);
        const painting = scripted.painted(agentId, 'work');
        const pressedAt = performance.timeOrigin + performance.now();
        for (const key of keys) await page.keyboard.press(key);
        taken.push((await painting).at - pressedAt);
      }
    }
    return { standing, queued, last };
  } finally {
    await stage.stop();
    scripted.close();
  }
}

/** Makes the agent ask, and waits until a person would have read the question. */
async function asked(page: Page, scripted: ScriptedAgents, agentId: string): Promise<void> {
  const screen = page.getByRole('region', { name: 'The screen of asker' });
  await screen.waitFor({ state: 'detached' });
  scripted.turn(agentId, 'ask');
  await moment('the question on the page', () => screen.getByText('❯ 1. Yes').isVisible());
  await screen.focus();
  await delay(standsMs.min + Math.random() * standsMs.more);
}
