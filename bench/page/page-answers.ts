import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { setStage } from '#test/page/stage.ts';
import { moment } from '#test/support/moment.ts';
import type { Homes } from '../stage/homes.ts';
import { LedAgents } from '../stage/led-agents.ts';
import { loadInWords, report } from '../stage/report.ts';
import { quantile } from '../stage/sample.ts';

const usualRounds = 40;

/** The minimum time that a question is shown before it is answered, in milliseconds; a random time is added. */
const standsMs = { min: 900, more: 600 } as const;

/** How long answers that were given on the page took to be typed, in milliseconds from the key. */
interface Answers {
  /** To a question that a person had read. */
  readonly standing: readonly number[];
  /** Two keys in the same moment: the second one, which waits for the first. */
  readonly queued: readonly number[];
  /** Three keys in the same moment: the last one. */
  readonly last: readonly number[];
}

/** How soon answers that are given on the page are typed. */
export async function benchPageAnswers(_homes: Homes, [rounds = usualRounds]: readonly number[]): Promise<void> {
  tellAnswers(await measureAnswers(rounds));
}

function tellAnswers({ standing, queued, last }: Answers): void {
  report(
    'an answer on the page, from the key to the agent that takes it',
    `In ms; ${loadInWords()}. The question has stood for a second. Wanted: p95 <= 300 ms. A queued key waits until the one before it shows.`,
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

/** Answers a scripted agent by keys on the page; the agent's own process stamps when it takes them. */
async function measureAnswers(rounds: number): Promise<Answers> {
  const led = new LedAgents();
  await led.listen();
  const stage = await setStage({ playerArguments: led.arguments });
  try {
    const agentId = await stage.launch('asker', 'work', { provisionEnabled: false });
    await led.met([agentId]);
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
        await asked(page, led, agentId);
        const painting = led.painted(agentId, 'work');
        const pressedAt = performance.timeOrigin + performance.now();
        for (const key of keys) await page.keyboard.press(key);
        taken.push((await painting).at - pressedAt);
      }
    }
    return { standing, queued, last };
  } finally {
    await stage.stop();
    led.close();
  }
}

/** Has the agent ask, and waits until a person would have read it. */
async function asked(page: Page, led: LedAgents, agentId: string): Promise<void> {
  const screen = page.getByRole('region', { name: 'The screen of asker' });
  await screen.waitFor({ state: 'detached' });
  led.turn(agentId, 'ask');
  await moment('the question on the page', () => screen.getByText('❯ 1. Yes').isVisible());
  await screen.focus();
  await delay(standsMs.min + Math.random() * standsMs.more);
}
