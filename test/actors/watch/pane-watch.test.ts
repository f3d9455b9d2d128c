import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { Roster } from '#actors/host/agent/roster.ts';
import type { Observation, ObservePane } from '#actors/host/reading/observation.ts';
import { PaneWatch } from '#actors/host/watch/pane-watch.ts';
import type { AgentContext, AgentEvent } from '#machines/agent/agent-context.ts';
import { isNoted } from '#machines/agent/noted-reading.ts';
import { limitAfter } from '#machines/agent/parking/parking.ts';
import { shownLimit } from '#machines/pane/limit/shown-limit.ts';
import { captureOf } from '#test/pane/screen-corpus.ts';
import { moment } from '#test/support/moment.ts';
import { type TestTimer, testTimer } from '#test/support/test-timer.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { silent } from '../actor-fixture.ts';
import { TerminalsStandIn } from '../terminal-stand-in.ts';

const family = 'agt_one';
const actor = {
  record: { id: family, family, launch: { harness: 'shell' } },
  context: { paneId: '%1' },
} as AgentActor;

describe('a watch on panes', () => {
  const watches: PaneWatch[] = [];
  afterEach(() => {
    for (const watch of watches.splice(0)) watch.stop();
  });

  /** Captures a pane once without success, and returns the warnings. */
  async function warnedOf(released: boolean): Promise<string[]> {
    const terminal = { ...(await new TerminalsStandIn().of(family)), released };
    const warned: string[] = [];
    const looked = Promise.withResolvers<void>();
    const look = async (): Promise<never> => {
      looked.resolve();
      throw new Error('no answer');
    };
    const actors = new Roster();
    actors.add(actor);
    const log = { ...silent, warn: (_: unknown, said?: string) => warned.push(said ?? '') };
    const place = { family, terminal, endReason: '', actors, clock: systemTimer };
    const watch = new PaneWatch({ ...place, observePane: look, log, suspect: () => {}, onPanes: () => {} });
    watches.push(watch);
    watch.glance('%1');
    await looked.promise;
    if (!released) await moment('the warning', () => warned.length > 0);
    await new Promise((done) => setImmediate(done));
    return warned;
  }

  it('logs a pane that cannot be captured', async () => {
    expect(await warnedOf(false)).to.deep.equal(['a pane could not be captured']);
  });

  it('reports nothing if the terminal was released meanwhile', async () => {
    expect(await warnedOf(true)).to.deep.equal([]);
  });
});

/** A screen that asks this. */
function observationOf(asked: string): Observation {
  const reading = {
    state: 'AGENT_STATE_WAITING',
    rule: 'claude/question',
    evidence: [],
    reason: 'question',
    detail: '',
  } as const;
  const capture = captureOf([asked], { size: '80x24', cursor: '0,0' });
  const facts = { harness: 'claude', rules: 'r', said: undefined, composed: '', draft: false };
  return {
    ...facts,
    capture,
    recorded: capture,
    reading,
    asked,
    digest: asked,
    fullDigest: asked,
    screenDigest: asked,
  };
}

/** A waiting agent that takes over each question immediately. */
class WaitingAgent {
  readonly sent: string[] = [];
  readonly record = { id: family, family, version: 1, launch: { harness: 'claude' } };
  context = { paneId: '%1', state: 'AGENT_STATE_WAITING', reason: 'question', asked: 'Which storage?' };

  send(event: AgentEvent): void {
    if (event.type !== 'READING') return;
    const { asked = '', ...reading } = event.reading;
    this.sent.push(asked);
    this.context = { ...this.context, ...reading, asked };
    this.record.version += 1;
  }
}

describe('a question after another one', () => {
  let clock: TestTimer;
  let agent: WaitingAgent;
  let shown: string;
  let watch: PaneWatch;

  beforeEach(async () => {
    clock = testTimer();
    agent = new WaitingAgent();
    shown = agent.context.asked;
    const terminal = await new TerminalsStandIn().of(family);
    const actors = new Roster();
    actors.add(agent as unknown as AgentActor);
    const look: ObservePane = async () => observationOf(shown);
    const place = { family, terminal, endReason: '', actors, clock, log: silent };
    watch = new PaneWatch({ ...place, observePane: look, suspect: () => {}, onPanes: () => {} });
  });
  afterEach(() => watch.stop());

  /** Shows a screen for a while, with a capture at each redraw. */
  async function show(text: string, milliseconds: number): Promise<void> {
    shown = text;
    watch.glance('%1');
    await clock.pass(milliseconds);
  }

  it('is reported once it is stable, and costs nothing while unchanged', async () => {
    await show('Which storage?', 1_000);
    await show('Which test runner?', 150);
    expect(agent.sent).to.deep.equal([]);
    await clock.pass(100);
    expect(agent.sent).to.deep.equal(['Which test runner?']);
    for (let look = 0; look < 20; look += 1) await show('Which test runner?', 500);
    expect(agent.sent).to.have.length(1);
  });

  it('is not reported while half painted', async () => {
    for (const text of ['Which', 'Which test', 'Which test runner?']) await show(text, 100);
    await clock.pass(300);
    expect(agent.sent).to.deep.equal(['Which test runner?']);
  });

  it('is reported a limited number of times on a blinking screen', async () => {
    for (let turn = 0; turn < 60; turn += 1) await show(turn % 2 === 0 ? 'Press now!' : 'Which storage?', 600);
    expect(agent.sent.length).to.be.within(1, 3);
  });

  it('is reported a limited number of times on a counting screen', async () => {
    for (let left = 60; left > 0; left -= 1) await show(`Ends in ${left} seconds. Which storage?`, 1_000);
    expect(agent.sent.length).to.be.within(1, 2);
  });

  it('is reported if it differs in a number alone and stays', async () => {
    await show('Edit page 1?', 300);
    await show('Edit page 2?', 1_000);
    expect(agent.sent).to.deep.equal(['Edit page 1?']);
    await clock.pass(1_100);
    expect(agent.sent).to.deep.equal(['Edit page 1?', 'Edit page 2?']);
  });
});

describe('a composer', () => {
  let clock: TestTimer;
  let sent: string[];
  let row: string;
  let context: { paneId: string; state: string; reason: string };
  let watch: PaneWatch;

  beforeEach(async () => {
    clock = testTimer();
    sent = [];
    context = { paneId: '%1', state: 'AGENT_STATE_IDLE', reason: '' };
    const agent = {
      record: { id: family, family, version: 1, launch: { harness: 'claude' } },
      get context() {
        return context;
      },
      send(event: AgentEvent): void {
        if (event.type !== 'READING') return;
        sent.push(`${event.reading.state.replace('AGENT_STATE_', '')} ${event.reading.reason}`);
        context = { ...context, ...event.reading };
        this.record.version += 1;
      },
    };
    const actors = new Roster();
    actors.add(agent as unknown as AgentActor);
    const look: ObservePane = async () => {
      const doubt = { state: 'AGENT_STATE_UNCERTAIN', rule: 'composer/unknown-row', reason: 'unknown-row' } as const;
      const reading = row === '' ? ({ state: 'AGENT_STATE_IDLE', rule: 'claude/rest', reason: '' } as const) : doubt;
      return { ...observationOf(''), reading: { ...reading, evidence: [row], detail: '' }, digest: row };
    };
    const place = { family, terminal: await new TerminalsStandIn().of(family), endReason: '', actors, clock };
    watch = new PaneWatch({ ...place, log: silent, observePane: look, suspect: () => {}, onPanes: () => {} });
  });
  afterEach(() => watch.stop());

  async function show(text: string, milliseconds: number): Promise<void> {
    row = text;
    watch.glance('%1');
    await clock.pass(milliseconds);
  }

  it('below an unknown row is in doubt while that is unchanged', async () => {
    await show('◴ Moving', 1_000);
    await show('◴ Moving', 20_000);
    expect(sent).to.deep.equal(['UNCERTAIN unknown-row']);
  });

  it('below an unknown row shows work while that keeps changing, and is in doubt again once it stops', async () => {
    for (const sign of '◴◷◶◵◴◷◶') await show(`${sign} Moving`, 100);
    expect(sent).to.deep.equal(['THINKING unknown-row']);
    await clock.pass(8_000);
    expect(sent).to.deep.equal(['THINKING unknown-row', 'UNCERTAIN unknown-row']);
  });

  it('that is empty after a restore is at rest once, and not on a first page that is soon cleared', async () => {
    context = { ...context, state: 'AGENT_STATE_UNCERTAIN', reason: 'resumed' };
    await show('', 1_000);
    await show('Loading', 300);
    await show('', 1_400);
    expect(sent).to.deep.equal(['UNCERTAIN unknown-row']);
    await clock.pass(300);
    expect(sent).to.deep.equal(['UNCERTAIN unknown-row', 'IDLE ']);
  });
});

/** An agent at a limit of its account, which takes over each reading immediately. */
class LimitedAgent {
  readonly sent: string[] = [];
  readonly record = { id: family, family, version: 1, launch: { harness: 'claude' } };
  context: Partial<AgentContext> = { paneId: '%1', state: 'AGENT_STATE_THINKING', reason: '' };

  send(event: AgentEvent): void {
    if (event.type !== 'READING') return;
    const { reading } = event;
    this.sent.push(`${reading.reason}${reading.limit?.continues ? ', continues' : ''}`);
    const { state, reason } = reading;
    this.context = { ...this.context, state, reason, ...limitAfter(this.context as AgentContext, reading) };
    this.record.version += 1;
  }
}

describe('a limit whose CLI says that it continues by itself', () => {
  const plain = 'usage-limit, 8:25am';
  const automatic = `${plain}, continues`;
  let clock: TestTimer;
  let agent: LimitedAgent;
  let footer: string;
  let watch: PaneWatch;

  beforeEach(async () => {
    clock = testTimer();
    agent = new LimitedAgent();
    const actors = new Roster();
    actors.add(agent as unknown as AgentActor);
    const look: ObservePane = async () => {
      const reading = {
        state: 'AGENT_STATE_IDLE',
        rule: 'claude/limit-continues',
        reason: 'usage-limit',
        detail: '8:25am',
        evidence: ['⚠ Usage limit reached · limit resets 8:25am', footer],
      } as const;
      return { ...observationOf(''), reading, limit: shownLimit(reading, 0, 'UTC'), digest: footer };
    };
    const place = { family, terminal: await new TerminalsStandIn().of(family), endReason: '', actors, clock };
    watch = new PaneWatch({ ...place, log: silent, observePane: look, suspect: () => {}, onPanes: () => {} });
  });
  afterEach(() => watch.stop());

  async function show(row: string): Promise<void> {
    footer = row;
    watch.glance('%1');
    await clock.pass(500);
  }

  it('is reported if that is drawn later, and once a person has cancelled it, although the words stay', async () => {
    await show('');
    expect(agent.sent).to.deep.equal([plain]);
    await show('Continuing automatically at 8:25am · Esc to cancel');
    expect(agent.sent).to.deep.equal([plain, automatic]);
    expect(agent.context.limit).to.include({ continues: true });
    await show('');
    expect(agent.sent).to.deep.equal([plain, automatic, plain]);
    expect(agent.context.limit?.continues).to.equal(undefined);
    for (let look = 0; look < 20; look += 1) await show('');
    expect(agent.sent, 'nothing is reported twice').to.have.length(3);
  });

  it('is reported although an earlier report of the limit is not decided yet', async () => {
    agent.send = ({ type, ...event }) => {
      if (type === 'READING' && 'reading' in event) agent.sent.push(event.reading.limit?.continues ? automatic : plain);
    };
    await show('');
    await show('Continuing automatically at 8:25am · Esc to cancel');
    expect(agent.sent).to.deep.equal([plain, automatic]);
  });
});

describe('the last reading that an agent decided on', () => {
  const reading = { state: 'AGENT_STATE_IDLE', reason: 'usage-limit, 8:25am' } as const;
  const context = { ...reading, limit: { kind: 'usage', said: reading.reason, continues: true } } as AgentContext;

  it('is another one once its CLI does not continue by itself any more', () => {
    expect(isNoted(context, { ...reading, limit: { kind: 'usage', continues: true } })).to.equal(true);
    expect(isNoted(context, { ...reading, limit: { kind: 'usage' } })).to.equal(false);
    expect(isNoted(context, reading), 'no limit').to.equal(true);
  });
});
