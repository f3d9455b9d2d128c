import { expect } from 'chai';
import type { Observation } from '#actors/host/reading/observation.ts';
import type { CheckedReading } from '#actors/host/watch/self-report-check.ts';
import { StartCheck } from '#actors/host/watch/start-check.ts';
import type { AgentContext, ReportedReading } from '#machines/agent/agent-context.ts';
import { captureOf } from '#test/pane/screen-corpus.ts';

const unknownScreen = ['  Get 50% off', '', '  Press any key to close'];

describe('the check of a CLI’s start', () => {
  let check: StartCheck;
  let now: number;
  beforeEach(() => {
    check = new StartCheck();
    now = 0;
  });

  /** Checks twice a second for this long, and returns the last result. */
  function show(
    state: string,
    forMs: number,
    given: { reason?: string; rows?: string[]; evidence?: string[]; context?: object } = {},
  ): CheckedReading {
    const {
      reason = '',
      rows = unknownScreen,
      evidence = [],
      context = { state: 'AGENT_STATE_SETTING_UP', reason: '' },
    } = given;
    const reading = { state: `AGENT_STATE_${state}`, reason } as ReportedReading;
    const capture = captureOf(rows, { size: '80x24', cursor: '0,0' });
    const observation = { capture, reading: { ...reading, evidence } as object } as Observation;
    const until = now + forMs;
    for (; ; now += 500) {
      const checked = check.judge({ reading, why: '' }, observation, context as AgentContext, now);
      if (now >= until) return checked;
    }
  }

  it('reports an unknown screen after 20 s, with its rows, even if it changes', () => {
    const early = show('UNCERTAIN', 15_000);
    expect(early).to.deep.equal({ reading: { state: 'AGENT_STATE_UNCERTAIN', reason: '' }, why: '', againMs: 5_000 });
    const { reading } = show('UNCERTAIN', 5_000);
    const told = { state: 'AGENT_STATE_UNCERTAIN', reason: 'unknown-screen, Get 50% off · Press any key to close' };
    expect(reading).to.deep.equal({ ...told, stuck: true });
    expect(show('UNCERTAIN', 60_000, { rows: ['Get 60% off'] }).reading).to.deep.equal({ ...told, stuck: true });
  });

  it('reports the unknown rows, without frames and empty prompts', () => {
    const rows = ['▎ Two new modes', '▎ Try them', '', '────', '❯ ', '────', '  ⏵⏵'];
    const doubted = show('UNCERTAIN', 20_000, { reason: 'unknown-row', rows, evidence: [rows[0] ?? ''] });
    expect(doubted.reading.reason).to.equal('unknown-row, ▎ Two new modes');
    check = new StartCheck();
    expect(show('UNCERTAIN', 20_000, { rows }).reading.reason).to.equal('unknown-screen, ▎ Two new modes · ▎ Try them');
  });

  it('reports again after an answered question', () => {
    show('UNCERTAIN', 15_000);
    show('WAITING', 5_000);
    expect(show('UNCERTAIN', 15_000).reading).not.to.have.property('stuck');
    expect(show('UNCERTAIN', 5_000, { reason: 'menu' }).reading).to.include({ stuck: true });
  });

  it('reports nothing while the CLI starts, shows nothing or holds a draft, nor after it was at rest', () => {
    for (const given of [{ reason: 'starting' }, { reason: 'draft' }, { rows: ['', ''] }]) {
      expect(show('UNCERTAIN', 60_000, given)).not.to.have.property('againMs');
    }
    show('IDLE', 0);
    expect(show('UNCERTAIN', 60_000).reading).not.to.have.property('stuck');
  });

  it('reports after a restore, and not for a running CLI', () => {
    const restored = { state: 'AGENT_STATE_UNCERTAIN', reason: 'resumed' };
    show('UNCERTAIN', 1_000, { context: restored });
    const read = { state: 'AGENT_STATE_UNCERTAIN', reason: '' };
    expect(show('UNCERTAIN', 20_000, { context: read }).reading).to.include({ stuck: true });
    check = new StartCheck();
    expect(show('UNCERTAIN', 60_000, { context: read }).reading).not.to.have.property('stuck');
  });

  it('holds back the rest that a restored CLI shows first, until it lasts', () => {
    const context = { state: 'AGENT_STATE_UNCERTAIN', reason: 'resumed' };
    expect(show('IDLE', 1_000, { context }), 'its first page').to.include({ heldMs: 500 });
    expect(show('UNCERTAIN', 500, { rows: ['', ''] }), 'a cleared screen').not.to.have.property('heldMs');
    expect(show('IDLE', 1_000), 'its conversation').to.include({ heldMs: 500 });
    for (const state of ['IDLE', 'THINKING', 'IDLE']) {
      expect(show(state, 500), state).not.to.have.property('heldMs');
    }
  });

  it('holds back no rest of a CLI that was not restored, and no work or question of one that was', () => {
    expect(show('IDLE', 0)).not.to.have.property('heldMs');
    check = new StartCheck();
    const context = { state: 'AGENT_STATE_UNCERTAIN', reason: 'resumed' };
    for (const state of ['THINKING', 'WAITING']) {
      expect(show(state, 0, { context }), state).not.to.have.property('heldMs');
    }
    expect(show('IDLE', 0)).to.include({ heldMs: 1_500 });
  });

  it('keeps its report after a restart of the host', () => {
    const context = { state: 'AGENT_STATE_SETTING_UP', reason: 'unknown-screen, Get 60% off', stuck: true };
    expect(show('UNCERTAIN', 0, { context }).reading).to.include({ stuck: true, reason: context.reason });
  });
});
