import { expect } from 'chai';
import fc from 'fast-check';
import type { PaneState } from '#contract/agent/agent-state.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { AgentContext, AgentEvent, AgentScript } from '#machines/agent/agent-context.ts';
import { agentDefinition, phaseOf, viewOf } from '#machines/agent/agent-view.ts';
import { drawingOf } from '#machines/chart/drawing.ts';
import { begin, type Decision, decide, type FactDraft } from '#machines/decide.ts';
import { type Phase, phases, sampleEvents } from './agent-events.ts';
import { input, reached, stateAfter } from './reached-agents.ts';

describe('the agent machine', () => {
  const snapshots = reached();

  it('reaches every declared state and no other', () => {
    expect([...snapshots.keys()].sort()).to.deep.equal([...phases].sort());
  });

  describe('accepts a request only in a phase that allows it', () => {
    const anywhereButGone = phases.filter((phase) => phase !== 'gone' && !phase.startsWith('cleaningUp'));
    const accepts: Readonly<Record<'RETRY' | 'ARCHIVE' | 'RESTORE' | 'DELETE' | 'RENAME' | 'HOLD', readonly Phase[]>> =
      {
        RETRY: ['failedToCreate', 'failedToCleanup'],
        ARCHIVE: anywhereButGone.filter((phase) => phase !== 'archiving' && phase !== 'archived'),
        RESTORE: ['dormant', 'archiving', 'archived', 'failedToCleanup'],
        DELETE: anywhereButGone,
        RENAME: anywhereButGone,
        HOLD: phases.filter((phase) => phase.startsWith('live') || phase === 'dormant'),
      };
    for (const [type, allowed] of Object.entries(accepts)) {
      for (const phase of phases) {
        const isAllowed = allowed.includes(phase);
        it(`${type} in ${phase}: ${isAllowed ? 'taken' : 'refused'}`, () => {
          const event = sampleEvents.find((sample) => sample.type === type) as AgentEvent;
          const decision = decide(agentDefinition, snapshots.get(phase) as StoredSnapshot, event);
          expect(decision !== undefined).to.equal(isAllowed);
        });
      }
    }
  });

  it('is marked as being deleted during the deletion', () => {
    const reasonAfter = (phase: Phase, ...events: readonly AgentEvent[]) => {
      const { stateReason: reason } = viewOf(stateAfter(snapshots.get(phase) as StoredSnapshot, ...events));
      return { reason };
    };
    const asked = { type: 'DELETE', force: false } as const;
    const begun = { type: 'WORKTREE_INSPECTED' } as const;
    for (const phase of ['live.idle', 'archived', 'failedToCleanup', 'failedToCreate'] as const) {
      expect(reasonAfter(phase, asked).reason, phase).to.equal('deleting');
    }
    const failed = { type: 'STEP_FAILED', step: 'removing', reason: 'unsaved work' } as const;
    expect(reasonAfter('live.idle', asked, begun).reason).to.equal('deleting');
    expect(reasonAfter('live.idle', asked, begun, failed).reason).to.equal('removing: unsaved work');
    expect(reasonAfter('live.idle', asked, begun, failed, { type: 'RETRY' }).reason).to.equal('deleting');
  });

  it('briefs once: a new window of a briefed agent resumes without a briefing', () => {
    const dormant = snapshots.get('dormant') as StoredSnapshot;
    const restored = decide(agentDefinition, dormant, { type: 'RESTORE' }) as Decision;
    expect(restored.effects).to.deep.equal([{ kind: 'openWindow', params: { resume: true } }]);
    const opened = decide(agentDefinition, restored.snapshot, { type: 'WINDOW_OPENED', paneId: '%2' }) as Decision;
    expect(phaseOf(opened.snapshot.value)).to.equal('live.uncertain');
    expect(opened.effects).to.deep.equal([]);
  });

  it('cancels pending effects when a launch is given up', () => {
    for (const phase of ['settingUp.provisioning', 'settingUp.opening', 'settingUp.briefing.delivering']) {
      const decision = decide(agentDefinition, snapshots.get(phase) as StoredSnapshot, {
        type: 'DELETE',
        force: false,
      });
      expect(decision?.cancels, phase).to.equal(true);
      expect(decision?.effects.map(({ kind }) => kind)).to.deep.equal(['inspectWorktree']);
    }
  });

  it('keeps an archived agent archived until it is restored, after any event', () => {
    let snapshot = snapshots.get('archived') as StoredSnapshot;
    const failed = { type: 'STEP_FAILED', step: 'closing', reason: 'it does not answer' } as const;
    for (const event of [{ type: 'DELETE', force: true }, failed, { type: 'RETRY' }, failed] as const) {
      snapshot = (decide(agentDefinition, snapshot, event) as Decision).snapshot;
      expect(viewOf(snapshot).archived, event.type).to.equal(true);
    }
    snapshot = (decide(agentDefinition, snapshot, { type: 'RESTORE' }) as Decision).snapshot;
    expect(viewOf(snapshot).archived).to.equal(false);
  });

  it('keeps an agent in the list if its archiving fails, until a retry', () => {
    const archiving = snapshots.get('archiving') as StoredSnapshot;
    const failed = { type: 'STEP_FAILED', step: 'closing', reason: 'it does not answer' } as const;
    for (const event of [failed, { type: 'DEADLINE', name: 'archiving' }] as const) {
      const { snapshot } = decide(agentDefinition, archiving, event) as Decision;
      expect(viewOf(snapshot)).to.include({ state: 'AGENT_STATE_FAILED_TO_CLEANUP', archived: false });
      const retried = decide(agentDefinition, snapshot, { type: 'RETRY' }) as Decision;
      expect(viewOf(retried.snapshot)).to.include({ phase: 'archiving', archived: true });
      expect(retried.facts.map(({ kind }) => kind)).to.include('agent.archived');
    }
  });

  it('keeps its state in doubt until it is read again', () => {
    const idle = snapshots.get('live.idle') as StoredSnapshot;
    const before = viewOf(idle);
    const doubted = decide(agentDefinition, idle, {
      type: 'DOUBTED',
      reason: 'its terminal does not answer',
    }) as Decision;
    expect(viewOf(doubted.snapshot)).to.deep.equal({ ...before, stateReason: 'its terminal does not answer' });
    expect((doubted.snapshot.context as AgentContext).doubted).to.equal(true);
    const reading = { state: 'AGENT_STATE_IDLE', reason: '' } as const;
    const read = decide(agentDefinition, doubted.snapshot, { type: 'READING', reading }) as Decision;
    expect(viewOf(read.snapshot)).to.deep.equal({ ...before, stateReason: '' });
    expect((read.snapshot.context as AgentContext).doubted).to.equal(false);
  });

  it('reports an unknown screen before the briefing, or after a restore, once', () => {
    const stuck = { state: 'AGENT_STATE_UNCERTAIN', reason: 'unknown-screen, Try it now', stuck: true } as const;
    const known = { state: 'AGENT_STATE_UNCERTAIN', reason: '' } as const;
    const noticesAt = (phase: Phase, state: string) => {
      const from = snapshots.get(phase) as StoredSnapshot;
      const told = decide(agentDefinition, from, { type: 'READING', reading: stuck }) as Decision;
      expect(viewOf(told.snapshot)).to.include({ state, stateReason: 'unknown-screen, Try it now' });
      const again = decide(agentDefinition, told.snapshot, { type: 'READING', reading: stuck });
      const past = stateAfter(told.snapshot, { type: 'READING', reading: known });
      expect(viewOf(past)).to.include({ state, stateReason: '' });
      return [told, again].map((one) => (one?.facts ?? []).flatMap(noQuestions));
    };
    const noQuestions = ({ kind, detail }: FactDraft) => (kind === 'agent.waits' ? [detail['noQuestion']] : []);
    expect(noticesAt('settingUp.briefing.delivering', 'AGENT_STATE_SETTING_UP')).to.deep.equal([[true], []]);
    expect(noticesAt('live.uncertain', 'AGENT_STATE_UNCERTAIN')).to.deep.equal([[true], []]);
  });

  it('restores also while the window is still being closed, and cancels that', () => {
    const archiving = snapshots.get('archiving') as StoredSnapshot;
    const restored = decide(agentDefinition, archiving, { type: 'RESTORE' }) as Decision;
    expect(restored.cancels).to.equal(true);
    expect(viewOf(restored.snapshot)).to.include({ state: 'AGENT_STATE_SETTING_UP', archived: false });
    expect(restored.facts.map(({ kind }) => kind)).to.include('agent.restored');
  });

  it('clears a failed clean-up when it is retried', () => {
    const failed = snapshots.get('failedToCleanup') as StoredSnapshot;
    for (const event of [{ type: 'RETRY' }, { type: 'ARCHIVE' }, { type: 'DELETE', force: true }] as const) {
      const { snapshot } = decide(agentDefinition, failed, event) as Decision;
      const stateReason = event.type === 'DELETE' ? 'deleting' : '';
      expect(viewOf(snapshot), event.type).to.include({ state: 'AGENT_STATE_UNCERTAIN', stateReason });
    }
  });

  it('provisions a worktree again that was removed by hand, and removes its branch with the agent', () => {
    const gone = { type: 'CHECKOUT_READ', checkout: {}, worktreeGone: true } as const;
    const live = decide(agentDefinition, liveOf(), gone) as Decision;
    const dormant = decide(agentDefinition, live.snapshot, {
      type: 'PANE_GONE',
      reason: '',
      briefed: true,
    }) as Decision;
    const restored = decide(agentDefinition, dormant.snapshot, { type: 'RESTORE' }) as Decision;
    expect(restored.effects.map(({ kind }) => kind)).to.deep.equal(['provisionWorktree']);
    const ready = sampleEvents.find(({ type }) => type === 'WORKTREE_READY') as AgentEvent;
    const provisioned = decide(agentDefinition, restored.snapshot, ready) as Decision;
    expect(provisioned.effects.map(({ kind }) => kind)).to.deep.equal(['runSetup']);
    const removed = decide(agentDefinition, dormant.snapshot, { type: 'DELETE', force: false }) as Decision;
    const closed = decide(agentDefinition, removed.snapshot, { type: 'PANE_CLOSED' }) as Decision;
    expect(closed.effects.map(({ kind }) => kind)).to.deep.equal(['removeWorktree']);
  });

  it('records self-reports in any phase and order, without a transition', () => {
    for (const phase of phases.filter((one) => one !== 'gone')) {
      const before = snapshots.get(phase) as StoredSnapshot;
      const said = tell(before, { type: 'REPORTED', report: { reason: 'done', at: 20 } });
      const late = { reason: 'working', at: 10 };
      expect(decide(agentDefinition, said, { type: 'REPORTED', report: late })).to.equal(undefined);
      const after = tell(said, { type: 'REPORTED', report: late, session: { id: 'ses_2', at: 10 } });
      expect(after.value).to.deep.equal(before.value);
      const { state, stateReason } = viewOf(before);
      expect(viewOf(after)).to.include({ state, stateReason, reportedReason: 'done', sessionId: 'ses_2' });
    }
  });

  it('keeps the conversation over windows, and drops an earlier CLI’s report', () => {
    const opening = snapshots.get('settingUp.opening') as StoredSnapshot;
    const first = tell(opening, { type: 'WINDOW_OPENED', paneId: '%1', sessionId: 'chosen' });
    expect(viewOf(first).sessionId).to.equal('chosen');
    const said = tell(first, {
      type: 'REPORTED',
      report: { reason: 'working', at: 20 },
      session: { id: 'ses_2', at: 20 },
    });
    const archived = [{ type: 'ARCHIVE' }, { type: 'PANE_CLOSED' }, { type: 'RESTORE' }] as const;
    const again = [...archived, { type: 'WINDOW_OPENED', paneId: '%2', sessionId: 'ses_2' } as const];
    expect(viewOf(again.reduce<StoredSnapshot>(tell, said))).to.include({ reportedReason: '', sessionId: 'ses_2' });
  });

  it('retries a launch from the completed steps', () => {
    const preparing = snapshots.get('settingUp.preparing') as StoredSnapshot;
    const failed = decide(agentDefinition, preparing, {
      type: 'STEP_FAILED',
      step: 'preparing',
      reason: 'exit 1',
    }) as Decision;
    expect(viewOf(failed.snapshot)).to.include({
      state: 'AGENT_STATE_FAILED_TO_CREATE',
      stateReason: 'preparing: exit 1',
    });
    const retried = decide(agentDefinition, failed.snapshot, { type: 'RETRY' }) as Decision;
    expect(retried.effects.map(({ kind }) => kind)).to.deep.equal(['runSetup']);
  });

  it('lets a deadline end only its own step', () => {
    const opening = snapshots.get('settingUp.opening') as StoredSnapshot;
    expect(decide(agentDefinition, opening, { type: 'DEADLINE', name: 'settingUp.provisioning' })).to.equal(undefined);
    const late = decide(agentDefinition, opening, { type: 'DEADLINE', name: 'settingUp.opening' }) as Decision;
    expect(viewOf(late.snapshot)).to.include({
      phase: 'failedToCreate',
      stateReason: 'opening: took too long, so muster gave up',
    });
    expect(late.deadlines).to.deep.equal({ 'settingUp.opening': null });
  });

  it('keeps its invariants in random event sequences: deadlines, states and facts fit the phase, and gone is final', () => {
    const life = fc.array(fc.constantFrom(...sampleEvents), { minLength: 1, maxLength: 60 });
    fc.assert(fc.property(fc.boolean(), fc.subarray([...input.scripts]), life, liveThrough), { numRuns: 1_000 });
  });

  describe('while a person holds it', () => {
    const held = tell(liveOf(), { type: 'HOLD', at: 7 });

    it('ends its turn, and shows the start of the hold', () => {
      expect(decide(agentDefinition, liveOf(), { type: 'HOLD', at: 7 })?.effects.map(({ kind }) => kind)).to.deep.equal(
        ['stopTurn'],
      );
      expect(viewOf(held)).to.include({ heldAt: 7, phase: 'live.thinking' });
    });

    it('stays held when its CLI ends, and is free after the release', () => {
      const ended = tell(held, { type: 'PANE_GONE', reason: 'gone', briefed: true });
      expect(viewOf(ended)).to.include({ heldAt: 7, phase: 'dormant' });
      for (const one of [held, ended]) expect(viewOf(tell(one, { type: 'UNHOLD' })).heldAt).to.equal(undefined);
      expect(decide(agentDefinition, liveOf(), { type: 'UNHOLD' })).to.equal(undefined);
    });

    it('reports a turn that continues, until it ends', () => {
      const on = tell(held, { type: 'UNSTOPPED', reason: 'no key ends it' });
      expect(viewOf(on).stateReason).to.equal('held, but its turn continues: no key ends it');
      expect(viewOf(tell(on, reads('AGENT_STATE_THINKING'))).stateReason).to.contain('no key ends it');
      expect(viewOf(tell(on, reads('AGENT_STATE_IDLE'))).stateReason).to.equal('');
    });

    it('runs no script when it comes to rest', () => {
      expect(decide(agentDefinition, held, reads('AGENT_STATE_IDLE'))?.effects).to.deep.equal([]);
    });
  });

  describe('runs its workflow’s scripts', () => {
    const kindsOf = (snapshot: StoredSnapshot, event: AgentEvent) =>
      decide(agentDefinition, snapshot, event)?.effects.map(({ kind }) => kind);

    it('once for each rest, and once for each wait', () => {
      expect(kindsOf(liveOf(), reads('AGENT_STATE_IDLE'))).to.deep.equal(['runOnIdle']);
      expect(kindsOf(liveOf(), reads('AGENT_STATE_WAITING'))).to.deep.equal(['runOnWaiting']);
      const idle = tell(liveOf(), reads('AGENT_STATE_IDLE'));
      expect(kindsOf(idle, reads('AGENT_STATE_IDLE'))).to.deep.equal([]);
      expect(kindsOf(tell(idle, reads('AGENT_STATE_THINKING')), reads('AGENT_STATE_IDLE'))).to.deep.equal([
        'runOnIdle',
      ]);
    });

    it('not after a mere doubt', () => {
      const idle = tell(liveOf(), reads('AGENT_STATE_IDLE'));
      expect(kindsOf(tell(idle, reads('AGENT_STATE_UNCERTAIN')), reads('AGENT_STATE_IDLE'))).to.deep.equal([]);
    });

    it('for a question before the briefing, and once for the same one', () => {
      const opening = ['WORKTREE_READY', 'SETUP_DONE', 'WINDOW_OPENED'].map(
        (type) => sampleEvents.find((sample) => sample.type === type) as AgentEvent,
      );
      const briefing = opening.reduce<StoredSnapshot>(tell, begin(agentDefinition, input).snapshot);
      expect(kindsOf(briefing, reads('AGENT_STATE_WAITING'))).to.deep.equal(['runOnWaiting']);
      const asked = tell(tell(briefing, reads('AGENT_STATE_WAITING')), reads('AGENT_STATE_UNCERTAIN'));
      expect(kindsOf(asked, reads('AGENT_STATE_WAITING'))).to.deep.equal([]);
    });
  });

  it('is drawn with every state and every kind of event', () => {
    const drawing = drawingOf('agent');
    for (const phase of phases) expect(drawing?.mermaid).to.contain(phase.replaceAll('.', '_'));
    const drawn = new Set(drawing?.transitions.map(({ event }) => event));
    for (const { type } of sampleEvents) expect([...drawn]).to.contain(type);
    expect(drawingOf('toString')).to.equal(undefined);
  });
});

function reads(state: PaneState): AgentEvent {
  return { type: 'READING', reading: { state, reason: '' } };
}

/** What an event that makes sense leaves. */
function tell(snapshot: StoredSnapshot, event: AgentEvent): StoredSnapshot {
  return (decide(agentDefinition, snapshot, event) as Decision).snapshot;
}

/** An agent that was set up, briefed and is at work in its worktree. */
function liveOf(): StoredSnapshot {
  const worktree = sampleEvents.find(({ type }) => type === 'WORKTREE_READY') as AgentEvent;
  const steps: AgentEvent[] = [
    worktree,
    { type: 'SETUP_DONE' },
    { type: 'WINDOW_OPENED', paneId: '%1' },
    { type: 'BRIEFED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } },
  ];
  return steps.reduce<StoredSnapshot>(tell, begin(agentDefinition, input).snapshot);
}

function liveThrough(provision: boolean, scripts: readonly AgentScript[], events: readonly AgentEvent[]): void {
  let decision: Decision = begin(agentDefinition, { name: 'a', provision, scripts });
  const deadlines = new Set<string>();
  const note = (): void => {
    for (const [name, ms] of Object.entries(decision.deadlines))
      ms === null ? deadlines.delete(name) : deadlines.add(name);
  };
  note();
  for (const event of events) {
    const before = viewOf(decision.snapshot);
    const stored = JSON.parse(JSON.stringify(decision.snapshot)) as StoredSnapshot;
    const next = decide(agentDefinition, stored, event);
    if (before.gone) expect(next, `gone took ${event.type}`).to.equal(undefined);
    if (!next) continue;
    decision = next;
    note();
    const after = viewOf(decision.snapshot);
    const moved = decision.facts.filter(({ kind }) => kind === 'agent.state-moved');
    expect(moved.length).to.equal(before.state !== after.state || before.stateReason !== after.stateReason ? 1 : 0);
    expect(deadlines.size, after.phase).to.be.at.most(1);
    if (after.phase.startsWith('live')) expect(after.alive, after.phase).to.equal(true);
    if (after.phase === 'dormant' || after.phase === 'archived') expect(after.alive, after.phase).to.equal(false);
    if (!provision) expect(decision.effects.map(({ kind }) => kind)).not.to.include('provisionWorktree');
  }
}
