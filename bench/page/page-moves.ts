import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openStream } from '#test/gateway/stream-call.ts';
import { type Stage, setStage } from '#test/page/stage.ts';
import { moment } from '#test/support/moment.ts';
import { ownProgram } from '#test/support/pieces.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { tokenOf } from '../stage/installation.ts';
import { LedAgents, type Painted, type Turn } from '../stage/led-agents.ts';
import { type HostStamp, type Move, moveOf, type Notes, stateOf, type Told } from '../stage/move-steps.ts';

/** The agents' turns, again and again: every move that an agent makes on its own. */
const round: readonly Turn[] = ['ask', 'work', 'rest', 'work'];
/** How long an agent stays in a state at least, and by chance more, in milliseconds. */
const stayMs = { min: 150, more: 300 } as const;

/** Moves of so many agents: alone, or all in the same moment. */
export interface MovesAsked {
  readonly agents: number;
  readonly rounds: number;
  /** How often the agent is prompted, interrupted and answered through muster besides; one agent alone. */
  readonly acts?: number;
}

interface Scene {
  readonly stage: Stage;
  readonly led: LedAgents;
  readonly ids: readonly string[];
  readonly page: Page;
}

/** Moves that scripted agents made in real panes, each timed from its screen's last byte to what the page shows. */
export async function measureMoves({ agents, rounds, acts = 0 }: MovesAsked): Promise<readonly Move[]> {
  const folder = temporaryFolder('stamps');
  const stamps = join(folder.path, 'host.jsonl');
  const led = new LedAgents();
  await led.listen();
  const host = [process.execPath, fileURLToPath(new URL('../stage/stamped-host.ts', import.meta.url)), stamps] as const;
  const stage = await setStage({
    playerArguments: led.arguments,
    programOf: (piece) => (piece === 'host' ? [...host] : ownProgram(piece)),
  });
  try {
    const ids = await launchAll(stage, agents);
    await led.met(ids);
    const page = await openPage(stage, agents);
    const stream = await followStream(stage);
    const scene = { stage, led, ids, page };
    const painted = [...(await movesAlone(scene, rounds)), ...(await movesByActs(scene, acts))];
    const shown = await page.evaluate<readonly (readonly [string, string, number])[]>('window.moved');
    const notes: Notes = {
      host: readFileSync(stamps, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as HostStamp),
      stream: stream.told,
      page: shown.map(([agentId, kind, at]) => ({ agentId, state: kind.toUpperCase(), at })),
    };
    await stream.close();
    return painted.map(([kind, one]) => moveOf(kind, one, notes));
  } finally {
    await stage.stop();
    led.close();
    folder.remove();
  }
}

async function launchAll(stage: Stage, agents: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < agents; at += 1)
    ids.push(await stage.launch(`bench ${at}`, 'work', { provisionEnabled: false }));
  for (const id of ids) await stage.until(id, 'THINKING');
  return ids;
}

/** The roster, as high as all of its rows, noting every state that a row comes to show. */
async function openPage(stage: Stage, agents: number): Promise<Page> {
  const page = await stage.open('/', { viewport: { width: 1280, height: 400 + agents * 36 } });
  await page.locator(`[role=treegrid][aria-rowcount="${agents + 1}"]`).waitFor();
  await page.locator(`.roster-row[aria-rowindex="${agents + 1}"]`).waitFor();
  await page.evaluate(`
    window.moved = [];
    new MutationObserver((changes) => {
      const at = performance.timeOrigin + performance.now();
      for (const { target } of changes) window.moved.push([target.id.replace('row-', ''), target.dataset.kind, at]);
    }).observe(document.querySelector('.roster-list'), { subtree: true, attributeFilter: ['data-kind'] });
  `);
  return page;
}

/** A stream of the same fleet next to the page's. */
async function followStream({ pieces }: Stage): Promise<{ readonly told: readonly Told[]; close(): Promise<void> }> {
  const told: Told[] = [];
  const port = Number(new URL(pieces.url).port);
  const authorization = `Bearer ${tokenOf(pieces.home)}`;
  const stream = await openStream({ port }, '/agent.v1.AgentService/WatchAgents', {}, { authorization });
  const listening = (async () => {
    for (;;) {
      const frame = await stream.next().catch(() => undefined);
      if (frame === undefined) return;
      const at = performance.timeOrigin + performance.now();
      for (const { agent } of (frame.json['agents'] ?? []) as { agent: { id: string; state: string } }[]) {
        told.push({ agentId: agent.id, state: agent.state.replace('AGENT_STATE_', ''), at });
      }
    }
  })();
  return {
    told,
    async close() {
      await stream.close();
      await listening;
    },
  };
}

type PaintedMove = readonly [kind: string, painted: Painted];

/** All agents turn to the next thing in the same moment, once the page has shown the last. */
async function movesAlone({ led, ids, page }: Scene, rounds: number): Promise<readonly PaintedMove[]> {
  const moves: PaintedMove[] = [];
  for (let at = 0; at < rounds * round.length; at += 1) {
    const [before, turn] = [round.at((at - 1) % round.length) ?? 'work', round[at % round.length] ?? 'work'];
    await delay(stayMs.min + Math.random() * stayMs.more);
    const painting = ids.map((id) => led.painted(id, turn));
    for (const id of ids) led.turn(id, turn);
    const painted = await Promise.all(painting);
    moves.push(...painted.map((one) => [`${stateOf[before]} → ${stateOf[turn]}`, one] as const));
    await allShown(page, ids.length, turn);
  }
  return moves;
}

/** One agent is prompted, asks, is answered, and is interrupted, all through muster. */
async function movesByActs({ stage, led, ids, page }: Scene, acts: number): Promise<readonly PaintedMove[]> {
  const [agentId = ''] = ids;
  const moves: PaintedMove[] = [];
  const act = async (kind: string, turn: Turn, work: () => Promise<unknown>): Promise<void> => {
    const painting = led.painted(agentId, turn);
    const done = work();
    moves.push([kind, await painting]);
    await Promise.all([done, allShown(page, 1, turn)]);
  };
  for (let at = 0; at < acts; at += 1) {
    await act('THINKING → IDLE by interrupt', 'rest', () => stage.call('InterruptAgent', { agentId }));
    await act('IDLE → WAITING by prompt', 'ask', () => stage.call('PromptAgent', { agentId, prompt: 'ask' }));
    await act('WAITING → THINKING by answer', 'work', async () => {
      const { screenDigest } = await stage.call<{ screenDigest: string }>('ReadPane', { agentId });
      await stage.call('AnswerAgent', { agentId, screenDigest, keys: ['Enter'] });
    });
    await act('THINKING → IDLE by interrupt', 'rest', () => stage.call('InterruptAgent', { agentId }));
    await act('IDLE → THINKING by prompt', 'work', () => stage.call('PromptAgent', { agentId, prompt: 'work' }));
  }
  return moves;
}

async function allShown(page: Page, agents: number, turn: Turn): Promise<void> {
  const rows = page.locator(`.roster-row[data-kind="${stateOf[turn].toLowerCase()}"]`);
  await moment(`all agents to be ${turn}`, async () => (await rows.count()) === agents);
}
