import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { Roster } from '#actors/host/agent/roster.ts';
import type { Observation } from '#actors/host/reading/observation.ts';
import { PaneWatch } from '#actors/host/watch/pane-watch.ts';
import type { AgentState } from '#contract/agent/agent-state.ts';
import { type TestTimer, testTimer } from '#test/support/test-timer.ts';
import type { Terminal, TerminalHint } from '#world/terminal/terminal.ts';
import { silent } from '../actor-fixture.ts';

const frameMs = 100;
/** Frames of a spinner that turns, as they are named. */
const spinner = [1, 2, 3, 4, 5, 6, 7];
const [dialog, lastFrame] = [100, 101];

describe('the watch on panes with repetitive output', () => {
  let clock: TestTimer;
  let hint: (hint: TerminalHint) => void;
  /** What the pane shows at the moment. */
  let screen: { state: AgentState; text: string };
  let shown: AgentState;
  let looks: number[];
  let told: { readonly state: AgentState; readonly at: number }[];
  let watch: PaneWatch;
  let frame: number;
  /** Whether the agent decides immediately on each reading. */
  let deciding: boolean;
  let version: number;

  beforeEach(() => {
    clock = testTimer();
    screen = { state: 'AGENT_STATE_THINKING', text: '' };
    shown = 'AGENT_STATE_THINKING';
    looks = [];
    told = [];
    frame = 0;
    deciding = true;
    version = 1;
    const terminal = {
      onHint: (listener: typeof hint) => {
        hint = listener;
        return () => {};
      },
    } as Partial<Terminal> as Terminal;
    const actors = new Roster();
    actors.add({
      get record() {
        return { id: 'agt_1', family: 'agt_1', launch: { harness: 'claude' }, version };
      },
      get context() {
        return { paneId: '%1', state: shown, reason: '' };
      },
      send({ reading }: { reading: { state: AgentState } }) {
        if (deciding) shown = reading.state;
        told.push({ state: reading.state, at: clock.now() });
      },
    } as unknown as AgentActor);
    const observePane = async (): Promise<Observation> => {
      looks.push(clock.now());
      const reading = { state: screen.state, rule: 'test/rule', reason: '', detail: '', evidence: [] };
      const { text } = screen;
      const capture = { rows: [], title: '', programStatus: '', progress: '' };
      return { reading, asked: '', digest: text, capture, recorded: capture } as never;
    };
    const options = { family: 'agt_1', terminal, endReason: '', actors, observePane, clock, log: silent };
    watch = new PaneWatch({ ...options, suspect: () => {}, onPanes: () => {} });
  });
  afterEach(() => watch.stop());

  const write = (...frames: number[]): void => hint({ kind: 'output', paneId: '%1', frames });

  /** Lets the spinner turn for so long. */
  async function spin(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += frameMs) {
      frame += 1;
      screen.text = `frame ${frame}`;
      write(spinner[frame % spinner.length] ?? 0);
      await clock.pass(frameMs);
    }
  }

  /** How soon a state was reported that the pane shows from now on. */
  async function reportedAfter(state: AgentState, milliseconds: number): Promise<number | undefined> {
    const from = clock.now();
    await clock.pass(milliseconds);
    const move = told.find((one) => one.state === state && one.at >= from);
    return move && move.at - from;
  }

  it('captures each redraw that is not known noise', async () => {
    for (let redraw = 1000; redraw < 1010; redraw += 1) {
      write(redraw);
      await clock.pass(frameMs);
    }
    expect(looks).to.have.length(10);
  });

  it('captures a turning spinner only twice a second, and keeps capturing', async () => {
    await spin(2_000);
    looks.length = 0;
    await spin(10_000);
    expect(looks.length).to.be.within(19, 22);
    const gaps = looks.slice(1).map((at, place) => at - (looks[place] ?? 0));
    for (const gap of gaps) expect(gap).to.be.at.most(500);
  });

  it('reports a dialog at once amid the frames of a spinner', async () => {
    await spin(3_000);
    screen = { state: 'AGENT_STATE_WAITING', text: 'may I?' };
    write(spinner[0] ?? 0, dialog);
    expect(await reportedAfter('AGENT_STATE_WAITING', 1_000)).to.be.at.most(55);
  });

  it('reports a repeated dialog at once, even after long redraws', async () => {
    for (let round = 0; round < 3; round += 1) {
      await spin(2_000);
      screen = { state: 'AGENT_STATE_WAITING', text: 'may I?' };
      write(dialog);
      expect(await reportedAfter('AGENT_STATE_WAITING', 100)).to.be.at.most(55);
      for (let redraw = 0; redraw < 20; redraw += 1) {
        write(dialog);
        await clock.pass(frameMs);
      }
      screen.state = 'AGENT_STATE_THINKING';
    }
  });

  it('detects within half a second what a known frame hides', async () => {
    for (let late = 0; late < 500; late += 40) {
      await spin(2_000);
      await clock.pass(late);
      screen = { state: 'AGENT_STATE_WAITING', text: `${late}` };
      write(spinner[0] ?? 0);
      expect(await reportedAfter('AGENT_STATE_WAITING', 600), `after ${late} ms`).to.be.within(1, 505);
      screen.state = 'AGENT_STATE_THINKING';
    }
  });

  it('captures after the last frame, and measures rest from that moment', async () => {
    await spin(3_000);
    screen = { state: 'AGENT_STATE_IDLE', text: 'done' };
    write(lastFrame);
    expect(await reportedAfter('AGENT_STATE_IDLE', 1_000)).to.be.within(200, 300);
    screen.state = 'AGENT_STATE_THINKING';
    await spin(3_000);
    screen = { state: 'AGENT_STATE_IDLE', text: 'done again' };
    write(spinner[0] ?? 0);
    expect(await reportedAfter('AGENT_STATE_IDLE', 1_000)).to.be.within(200, 710);
  });

  it('reports a transition once, even if it recurs before the agent’s decision, and recovers a lost one', async () => {
    deciding = false;
    screen = { state: 'AGENT_STATE_WAITING', text: 'may I?' };
    for (let redraw = 1000; redraw < 1020; redraw += 1) {
      write(redraw);
      await clock.pass(frameMs);
    }
    expect(told).to.have.length(1);
    await clock.pass(5_000);
    write(dialog);
    await clock.pass(frameMs);
    expect(told).to.have.length(2);
    version += 1;
    write(dialog);
    await clock.pass(frameMs);
    expect(told).to.have.length(3);
  });

  it('captures at once after any change other than output', async () => {
    await spin(3_000);
    screen = { state: 'AGENT_STATE_UNCERTAIN', text: 'a person scrolls' };
    hint({ kind: 'output', paneId: '%1' });
    expect(await reportedAfter('AGENT_STATE_UNCERTAIN', 1_000)).to.be.at.most(260);
  });
});
