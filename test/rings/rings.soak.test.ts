import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { PaneState } from '#contract/agent/agent-state.ts';
import { randomFrom } from '#test/support/random.ts';
import { timesOf } from '#test/support/soak.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import type { Typed } from './player-link.ts';
import { type PlayedScreen, playedScreens } from './screens.ts';
import { openStage, type PlayedAgent, restScreen, type Stage } from './stage.ts';

/** How many times panes change what they show; the same seed shows the same in the same order. */
const changes = timesOf('MUSTER_TEST_CHANGES', 20, 1_000);
const seed = Number(process.env['MUSTER_TEST_SEED'] ?? 20_261_123);
const agentsCount = 4;
/**
 * Input within this many milliseconds of a change was decided on the earlier screen, which no observation can prevent.
 */
const unseenMs = 100;
const service = 'agent.v1.AgentService';

/** A text that a person has typed and not sent, besides what real screens show of that. */
const kinds: readonly PaneState[] = [
  'AGENT_STATE_IDLE',
  'AGENT_STATE_THINKING',
  'AGENT_STATE_WAITING',
  'AGENT_STATE_UNCERTAIN',
];

describe(`doorbells over ${changes} changes of panes with real screens (seed ${seed})`, function () {
  this.timeout(1_200_000);
  const random = randomFrom(seed);
  const stateOf = new Map(playedScreens.map(({ name, state }) => [name, state]));
  const shown: Partial<Record<PaneState | 'held' | 'scrolled', number>> = {};
  const violations: string[] = [];
  const unseen: string[] = [];
  let stage: Stage;
  let agents: PlayedAgent[];
  let rings = 0;
  let changed = 0;

  before(async () => {
    stage = await openStage();
    agents = [];
    for (let place = 0; place < agentsCount; place += 1) {
      agents.push(await stage.launch(`agent-${place}`, place % 2 === 0 ? 0 : 1));
    }
  });
  after(() => stage.close());

  const note = (what: keyof typeof shown) => {
    shown[what] = (shown[what] ?? 0) + 1;
  };
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

  /** Holds an agent to what may be typed into it, while its pane changes and mail comes. */
  async function play(agent: PlayedAgent, place: number): Promise<void> {
    let heldAt = Number.POSITIVE_INFINITY;
    const taking: Promise<unknown>[] = [];
    agent.onTyped((typed) => {
      if (typed.what === 'submitted') {
        rings += 1;
        taking.push(agent.call('TakeMail', {}));
      } else judge(typed, heldAt);
    });
    for (let own = 0; changed < changes; own += 1) {
      changed += 1;
      await stage.pieces.call(`${service}/SendMail`, {
        agentId: agent.agentId,
        body: 'hello',
        idempotencyKey: `${place}-${own}`,
      });
      // A paste that the next screen erased is not repeated without end: another doorbell starts over.
      if (own % 5 === 4) await agent.call('TakeMail', {});
      const dice = random();
      if (dice < 0.08) {
        await hold(agent, (at) => {
          heldAt = at;
        });
      } else if (dice < 0.16) await scroll(agent, place);
      else await change(agent);
    }
    agent.show(restScreen);
    await Promise.all(taking);
  }

  function judge({ text, on, isDraft, sinceMs, at }: Typed, heldAt: number): void {
    const state = stateOf.get(on);
    const isFit = state === 'AGENT_STATE_IDLE' && at <= heldAt;
    // Escape is what holding an agent presses; Enter belongs to the line itself, which is a draft.
    if (text === '\u001b') return;
    if (isFit && (text !== '\r' || isDraft)) return;
    const isUnseen = Math.min(sinceMs, at - heldAt > 0 ? at - heldAt : sinceMs) < unseenMs;
    const what = `${JSON.stringify(text.slice(0, 12))} on ${on} (${state}), shown for ${sinceMs} ms, held for ${at - heldAt} ms`;
    (isUnseen ? unseen : violations).push(what);
  }

  /** Shows another screen for a while, at rest for longer, so that there is time to ring. */
  async function change(agent: PlayedAgent): Promise<void> {
    const state = random() < 0.45 ? 'AGENT_STATE_IDLE' : pick(kinds.slice(1));
    const screen: PlayedScreen = pick(playedScreens.filter((one) => one.state === state));
    note(state);
    agent.show(screen);
    await pause(state === 'AGENT_STATE_IDLE' ? 300 + random() * 1_500 : 100 + random() * 700);
  }

  /** A person takes the agent over while it is at rest, and gives it back. */
  async function hold(agent: PlayedAgent, heldSince: (at: number) => void): Promise<void> {
    note('held');
    const { agentId } = agent;
    await stage.pieces.call(`${service}/HoldAgent`, { agentId });
    heldSince(Date.now());
    agent.show(restScreen);
    await pause(400 + random() * 800);
    heldSince(Number.POSITIVE_INFINITY);
    await stage.pieces.call(`${service}/UnholdAgent`, { agentId });
  }

  /** A person scrolls in the pane of an agent at rest: what is typed then would be tmux's own. */
  async function scroll(agent: PlayedAgent, place: number): Promise<void> {
    note('scrolled');
    const home = place % 2 === 0 ? stage.pieces.home : stage.pieces.otherHome;
    const socket = socketOf(await socketFolder(join(home, 'run')), agent.agentId);
    agent.show(restScreen);
    execFileSync('tmux', ['-S', socket, 'copy-mode', '-t', '=muster:1']);
    await pause(400 + random() * 800);
    execFileSync('tmux', ['-S', socket, 'send-keys', '-t', '=muster:1', '-X', 'cancel']);
  }

  it('are typed only at rest: never into work, a question, a draft, a held pane, or an undecided screen', async () => {
    await Promise.all(agents.map(play));
    console.log(
      `      ${changed} changes ${JSON.stringify(shown)}; rung ${rings} times; typed where it must not be: ` +
        `${violations.length}; decided on the screen before: ${unseen.length} ${unseen.join(' | ')}`,
    );
    expect(violations).to.deep.equal([]);
    expect(rings).to.be.greaterThan(changes / 20);
    expect(unseen.length).to.be.lessThan(Math.max(10, changes / 20));
  });
});
