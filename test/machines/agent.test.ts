import { expect } from 'chai';
import fc from 'fast-check';
import { getShortestPaths } from 'xstate/graph';
import type { StoredSnapshot } from '#contract/agent-view.ts';
import { agentMachine } from '#machines/agent.ts';
import type { AgentContext, AgentEvent } from '#machines/agent-context.ts';
import { agentLife, phaseOf, viewOf } from '#machines/agent-view.ts';
import { begin, type Decision, decide } from '#machines/decide.ts';
import { drawingOf } from '#machines/drawing.ts';
import { type Phase, phases, sampleEvents } from './agent-events.ts';

const input = { name: 'a', provision: true, hasSetup: true, hasTeardown: true };

/** The machine's snapshots by phase, each reached by a shortest path of real events. */
function reached(): Map<string, StoredSnapshot> {
  const found = new Map<string, StoredSnapshot>();
  const paths = getShortestPaths(agentMachine, {
    input,
    events: [...sampleEvents],
    limit: 20_000,
    serializeState: (snapshot) => JSON.stringify([snapshot.value, viewless(snapshot.context)]),
  });
  for (const { state } of paths) {
    const phase = phaseOf(state.value);
    if (!found.has(phase)) found.set(phase, { value: state.value, context: state.context });
  }
  return found;
}

function viewless({ worktree, paneId, prepared, briefed, failedStep, cleanup }: AgentContext): unknown {
  return [worktree !== undefined, paneId !== undefined, prepared, briefed, failedStep, cleanup];
}

describe('the agent machine', () => {
  const snapshots = reached();

  it('reaches every declared state and no other', () => {
    expect([...snapshots.keys()].sort()).to.deep.equal([...phases].sort());
  });

  describe('takes what people ask for only where it makes sense', () => {
    const anywhereButGone = phases.filter((phase) => phase !== 'gone' && !phase.startsWith('cleaningUp'));
    const accepts: Readonly<Record<'RETRY' | 'ARCHIVE' | 'RESTORE' | 'DELETE' | 'RENAME', readonly Phase[]>> = {
      RETRY: ['failedToCreate', 'failedToCleanup'],
      ARCHIVE: anywhereButGone.filter((phase) => phase !== 'archiving' && phase !== 'archived'),
      RESTORE: ['dormant', 'archived', 'failedToCleanup'],
      DELETE: anywhereButGone,
      RENAME: anywhereButGone.filter((phase) => phase !== 'archiving'),
    };
    for (const [type, allowed] of Object.entries(accepts)) {
      for (const phase of phases) {
        const isAllowed = allowed.includes(phase);
        it(`${type} in ${phase}: ${isAllowed ? 'taken' : 'refused'}`, () => {
          const event = sampleEvents.find((sample) => sample.type === type) as AgentEvent;
          const decision = decide(agentLife, snapshots.get(phase) as StoredSnapshot, event);
          expect(decision !== undefined).to.equal(isAllowed);
        });
      }
    }
  });

  it('briefs once: a new window of a briefed agent resumes and is not briefed again', () => {
    const dormant = snapshots.get('dormant') as StoredSnapshot;
    const restored = decide(agentLife, dormant, { type: 'RESTORE' }) as Decision;
    expect(restored.effects).to.deep.equal([{ kind: 'openWindow', params: { resume: true } }]);
    const opened = decide(agentLife, restored.snapshot, { type: 'WINDOW_OPENED', paneId: '%2' }) as Decision;
    expect(phaseOf(opened.snapshot.value)).to.equal('live.uncertain');
    expect(opened.effects).to.deep.equal([]);
  });

  it('takes back what is not done when a launch is given up', () => {
    for (const phase of ['settingUp.provisioning', 'settingUp.opening', 'settingUp.briefing.delivering']) {
      const decision = decide(agentLife, snapshots.get(phase) as StoredSnapshot, { type: 'DELETE', force: false });
      expect(decision?.cancels, phase).to.equal(true);
      expect(decision?.effects.map(({ kind }) => kind)).to.deep.equal(['inspectWorktree']);
    }
  });

  it('retries a launch from what stands', () => {
    const preparing = snapshots.get('settingUp.preparing') as StoredSnapshot;
    const failed = decide(agentLife, preparing, {
      type: 'STEP_FAILED',
      step: 'preparing',
      reason: 'exit 1',
    }) as Decision;
    expect(viewOf(failed.snapshot)).to.include({
      state: 'AGENT_STATE_FAILED_TO_CREATE',
      stateReason: 'preparing: exit 1',
    });
    const retried = decide(agentLife, failed.snapshot, { type: 'RETRY' }) as Decision;
    expect(retried.effects.map(({ kind }) => kind)).to.deep.equal(['runSetup']);
  });

  it('lets a deadline end only its own step', () => {
    const opening = snapshots.get('settingUp.opening') as StoredSnapshot;
    expect(decide(agentLife, opening, { type: 'DEADLINE', name: 'settingUp.provisioning' })).to.equal(undefined);
    const late = decide(agentLife, opening, { type: 'DEADLINE', name: 'settingUp.opening' }) as Decision;
    expect(viewOf(late.snapshot)).to.include({
      phase: 'failedToCreate',
      stateReason: 'opening: took too long and was given up',
    });
    expect(late.deadlines).to.deep.equal({ 'settingUp.opening': null });
  });

  it('holds over random lives: deadlines, states and facts fit the phase, and gone is gone', () => {
    const life = fc.array(fc.constantFrom(...sampleEvents), { minLength: 1, maxLength: 60 });
    fc.assert(fc.property(fc.boolean(), fc.boolean(), fc.boolean(), life, liveThrough), { numRuns: 1_000 });
  });

  it('draws itself with every state and every kind of event', () => {
    const drawing = drawingOf('agent');
    for (const phase of phases) expect(drawing?.mermaid).to.contain(phase.replaceAll('.', '_'));
    const drawn = new Set(drawing?.transitions.map(({ event }) => event));
    for (const { type } of sampleEvents) expect([...drawn]).to.contain(type);
    expect(drawingOf('toString')).to.equal(undefined);
  });
});

function liveThrough(provision: boolean, hasSetup: boolean, hasTeardown: boolean, events: readonly AgentEvent[]): void {
  let decision: Decision = begin(agentLife, { name: 'a', provision, hasSetup, hasTeardown });
  const deadlines = new Set<string>();
  const note = (): void => {
    for (const [name, ms] of Object.entries(decision.deadlines))
      ms === null ? deadlines.delete(name) : deadlines.add(name);
  };
  note();
  for (const event of events) {
    const before = viewOf(decision.snapshot);
    const stored = JSON.parse(JSON.stringify(decision.snapshot)) as StoredSnapshot;
    const next = decide(agentLife, stored, event);
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
