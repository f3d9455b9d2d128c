import { expect } from 'chai';
import type { AgentState } from '#contract/agent/agent-state.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import { maxTransitions } from '#store/agent/agent-transition-table.ts';
import { commitOn, newAgent, type StoreFixture, saveHost, snapshotOf, storeFixture } from './store-fixture.ts';

const sighting = (rule: string): Sighting => ({
  harness: 'claude',
  rules: 'abc123',
  rule,
  evidence: ['❯ 1. Yes'],
  screen: {
    text: '\u001b[1mDo you want to proceed?\n❯ 1. Yes',
    above: 3,
    title: '✳ Claude Code',
    programStatus: '',
    progress: '',
    width: 80,
    height: 24,
    cursor: { column: 0, row: 4 },
    command: 'claude',
    inMode: false,
    dead: false,
  },
});

describe('an agent’s stored transitions', () => {
  let fixture: StoreFixture;
  let version: number;

  beforeEach(async () => {
    fixture = await storeFixture();
    await saveHost(fixture.store);
    await fixture.store.write(({ journal }) => journal.insert(newAgent('agt_1')));
    version = 1;
  });
  afterEach(() => fixture.close());

  const commit = async (state: AgentState, reason: string, given: Partial<AgentCommit> = {}): Promise<void> => {
    const snapshot = snapshotOf({ live: 'uncertain' }, { name: 'agt_1', state, reason });
    await fixture.store.commitAgent(commitOn('agt_1', { version, snapshot, ...given }));
    version += 1;
  };
  const moves = (screens = false) => fixture.store.read((tables) => tables.moves.lastOf('agt_1', { screens }));

  it('are listed newest first with their screens, also over a restart', async () => {
    await commit('AGENT_STATE_THINKING', '');
    fixture.clock.pass(5000);
    await commit('AGENT_STATE_WAITING', 'permission', { sighting: sighting('claude/permission') });
    await fixture.reopen();
    const [last, first] = await moves(true);
    expect(last).to.deep.equal({
      agent: 'agt_1',
      ordinal: 2,
      at: fixture.clock.now(),
      fromState: 'AGENT_STATE_THINKING',
      toState: 'AGENT_STATE_WAITING',
      reason: 'permission',
      harness: 'claude',
      rules: 'abc123',
      rule: 'claude/permission',
      evidence: ['❯ 1. Yes'],
      screen: sighting('').screen,
    });
    expect(first).to.deep.include({ ordinal: 1, fromState: 'AGENT_STATE_SETTING_UP', rule: null, screen: null });
    expect((await moves())[0]).to.not.have.property('screen');
  });

  it('are changes of the state or its reason only', async () => {
    await commit('AGENT_STATE_THINKING', '', { sighting: sighting('claude/status-row') });
    await commit('AGENT_STATE_THINKING', '', { sighting: sighting('claude/title') });
    await commit('AGENT_STATE_THINKING', 'background', { sighting: sighting('claude/background') });
    expect((await moves()).map(({ rule }) => rule)).to.deep.equal(['claude/background', 'claude/status-row']);
  });

  it(`are the last ${maxTransitions}, numbered continuously`, async () => {
    for (let count = 0; count < maxTransitions + 5; count += 1)
      await commit('AGENT_STATE_UNCERTAIN', `reason ${count}`);
    const kept = await moves();
    expect(kept).to.have.length(maxTransitions);
    expect([kept[0]?.ordinal, kept.at(-1)?.ordinal]).to.deep.equal([maxTransitions + 5, 6]);
  });

  it('are deleted with the agent', async () => {
    await commit('AGENT_STATE_THINKING', '');
    await commit('AGENT_STATE_THINKING', '', { snapshot: snapshotOf('gone', { name: 'agt_1' }) });
    expect(await moves()).to.deep.equal([]);
  });
});
