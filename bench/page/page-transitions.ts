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
import { type Painted, ScriptedAgents, type Turn } from '../stage/scripted-agents.ts';
import {
  type HostStamp,
  type Notes,
  type ObservedState,
  stateOf,
  type Transition,
  transitionOf,
} from '../stage/transition-steps.ts';

/** The turns of each agent, repeated: every transition that an agent makes on its own. */
const round: readonly Turn[] = ['ask', 'work', 'rest', 'work'];
/** How long an agent stays in a state: the minimum, and the maximum of a random addition, in milliseconds. */
const stayMs = { min: 150, more: 300 } as const;

/** How many agents change state together, and how often. */
export interface TransitionRounds {
  readonly agents: number;
  readonly rounds: number;
  /** How often the first agent is also prompted, interrupted and answered through muster. */
  readonly acts?: number;
}

interface Scene {
  readonly stage: Stage;
  readonly scripted: ScriptedAgents;
  readonly ids: readonly string[];
  readonly page: Page;
}

/** Measures transitions of scripted agents in real panes, from the last byte of the screen to the page. */
export async function measureTransitions({
  agents,
  rounds,
  acts = 0,
}: TransitionRounds): Promise<readonly Transition[]> {
  const folder = temporaryFolder('stamps');
  const stamps = join(folder.path, 'host.jsonl');
  const scripted = new ScriptedAgents();
  await scripted.listen();
  const host = [process.execPath, fileURLToPath(new URL('../stage/stamped-host.ts', import.meta.url)), stamps] as const;
  const stage = await setStage({
    playerArguments: scripted.arguments,
    programOf: (piece) => (piece === 'host' ? [...host] : ownProgram(piece)),
  });
  try {
    const ids = await launchAll(stage, agents);
    await scripted.connected(ids);
    const page = await openPage(stage, agents);
    const stream = await followStream(stage);
    const scene = { stage, scripted, ids, page };
    const painted = [...(await ownTransitions(scene, rounds)), ...(await transitionsByCalls(scene, acts))];
    const shown = await page.evaluate<readonly (readonly [string, string, number])[]>('window.transitions');
    const notes: Notes = {
      host: readFileSync(stamps, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as HostStamp),
      stream: stream.observed,
      page: shown.map(([agentId, kind, at]) => ({ agentId, state: kind.toUpperCase(), at })),
    };
    await stream.close();
    return painted.map(([kind, screen]) => transitionOf(kind, screen, notes));
  } finally {
    await stage.stop();
    scripted.close();
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

/** Opens the roster, high enough for all rows. Records every state that a row shows. */
async function openPage(stage: Stage, agents: number): Promise<Page> {
  const page = await stage.open('/', { viewport: { width: 1280, height: 400 + agents * 36 } });
  await page.locator(`[role=treegrid][aria-rowcount="${agents + 1}"]`).waitFor();
  await page.locator(`.roster-row[aria-rowindex="${agents + 1}"]`).waitFor();
  await page.evaluate(`
    window.transitions = [];
    new MutationObserver((changes) => {
      const at = performance.timeOrigin + performance.now();
      for (const { target } of changes) window.transitions.push([target.id.replace('row-', ''), target.dataset.kind, at]);
    }).observe(document.querySelector('.roster-list'), { subtree: true, attributeFilter: ['data-kind'] });
  `);
  return page;
}

/** Opens a second stream of the fleet, next to the page's own. */
async function followStream({
  pieces,
}: Stage): Promise<{ readonly observed: readonly ObservedState[]; close(): Promise<void> }> {
  const observed: ObservedState[] = [];
  const port = Number(new URL(pieces.url).port);
  const authorization = `Bearer ${tokenOf(pieces.home)}`;
  const stream = await openStream({ port }, '/agent.v1.AgentService/WatchAgents', {}, { authorization });
  const listening = (async () => {
    for (;;) {
      const frame = await stream.next().catch(() => undefined);
      if (frame === undefined) return;
      const at = performance.timeOrigin + performance.now();
      for (const { agent } of (frame.json['agents'] ?? []) as { agent: { id: string; state: string } }[]) {
        observed.push({ agentId: agent.id, state: agent.state.replace('AGENT_STATE_', ''), at });
      }
    }
  })();
  return {
    observed,
    async close() {
      await stream.close();
      await listening;
    },
  };
}

type PaintedTransition = readonly [kind: string, painted: Painted];

/** All agents start their next turn at the same moment, once the page shows their previous one. */
async function ownTransitions({ scripted, ids, page }: Scene, rounds: number): Promise<readonly PaintedTransition[]> {
  const transitions: PaintedTransition[] = [];
  for (let at = 0; at < rounds * round.length; at += 1) {
    const [before, turn] = [round.at((at - 1) % round.length) ?? 'work', round[at % round.length] ?? 'work'];
    await delay(stayMs.min + Math.random() * stayMs.more);
    const painting = ids.map((id) => scripted.painted(id, turn));
    for (const id of ids) scripted.turn(id, turn);
    const painted = await Promise.all(painting);
    transitions.push(...painted.map((screen) => [`${stateOf[before]} → ${stateOf[turn]}`, screen] as const));
    await allShown(page, ids.length, turn);
  }
  return transitions;
}

/** Interrupts, prompts and answers one agent through muster. */
async function transitionsByCalls(
  { stage, scripted, ids, page }: Scene,
  acts: number,
): Promise<readonly PaintedTransition[]> {
  const [agentId = ''] = ids;
  const transitions: PaintedTransition[] = [];
  const act = async (kind: string, turn: Turn, work: () => Promise<unknown>): Promise<void> => {
    const painting = scripted.painted(agentId, turn);
    const done = work();
    transitions.push([kind, await painting]);
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
  return transitions;
}

async function allShown(page: Page, agents: number, turn: Turn): Promise<void> {
  const rows = page.locator(`.roster-row[data-kind="${stateOf[turn].toLowerCase()}"]`);
  await moment(`all agents to be ${turn}`, async () => (await rows.count()) === agents);
}
