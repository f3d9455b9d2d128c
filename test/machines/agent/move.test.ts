import { expect } from 'chai';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { type AgentEvent, readAgentContext } from '#machines/agent/agent-context.ts';
import { agentDefinition, phaseOf, viewOf } from '#machines/agent/agent-view.ts';
import { movePlace } from '#machines/agent/move-steps.ts';
import { begin, type Decision, decide } from '#machines/decide.ts';

const worktree = {
  repository: '/repo/.git',
  path: '/near/w',
  branch: 'muster/a-1',
  baseSha: 'f'.repeat(40),
  copied: [],
};
const there = { ...worktree, repository: '/far/.git', path: '/far/w' };
const order = {
  id: 'mov_1',
  from: { hostId: 'hst_near', host: 'near', cwd: '/repo' },
  to: { hostId: 'hst_far', host: 'far', cwd: '/clone' },
  known: [],
};
const reading = (state: 'IDLE' | 'THINKING' | 'UNCERTAIN', more = {}): AgentEvent => ({
  type: 'READING',
  reading: { state: `AGENT_STATE_${state}`, reason: '', ...more },
});
const idle = reading('IDLE');
const move: AgentEvent = { type: 'MOVE', order };
const failed: AgentEvent = { type: 'STEP_FAILED', step: 'unpacking', reason: 'the disk is full' };
const packed: AgentEvent = { type: 'PACKED', package: { bytes: 1, digest: '0' } };
const opened: AgentEvent = { type: 'WINDOW_OPENED', paneId: '%2' };

/** A live agent at work, on its near host. */
function live(scripts: readonly 'setup'[] = []): StoredSnapshot {
  const { snapshot } = begin(agentDefinition, { name: 'a', provision: true, scripts });
  const setup: AgentEvent[] = scripts.length === 0 ? [] : [{ type: 'SETUP_DONE' }];
  return stateAfter(
    snapshot,
    { type: 'WORKTREE_READY', worktree },
    ...setup,
    { type: 'WINDOW_OPENED', paneId: '%1' },
    { type: 'BRIEFED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } },
  );
}

function stateAfter(snapshot: StoredSnapshot, ...events: readonly AgentEvent[]): StoredSnapshot {
  return events.reduce((known, event) => {
    const decision: Decision | undefined = decide(agentDefinition, known, event);
    if (decision === undefined) throw new Error(`${event.type} is refused in ${phaseOf(known.value)}`);
    return decision.snapshot;
  }, snapshot);
}

const phase = ({ value }: StoredSnapshot): string => phaseOf(value);
const place = (snapshot: StoredSnapshot) => movePlace(readAgentContext(snapshot), phase(snapshot))?.hostId;

describe('the machine of a moving agent', () => {
  it('leaves once it is at rest, and not while it works, is held, or has a draft', () => {
    const asked = stateAfter(live(), move);
    expect(phase(asked)).to.equal('live.thinking');
    expect(viewOf(asked)).to.include({ movingTo: 'far', stateReason: 'moves to far once it is at rest' });
    const held = stateAfter(asked, { type: 'HOLD', at: 1 }, idle);
    expect(phase(held)).to.equal('live.idle');
    expect(phase(stateAfter(held, { type: 'UNHOLD' }))).to.equal('moving.closing');
    expect(phase(stateAfter(asked, reading('UNCERTAIN', { drafted: true })))).to.equal('live.uncertain');
    expect(phase(stateAfter(asked, idle))).to.equal('moving.closing');
    expect(viewOf(stateAfter(asked, { type: 'CANCEL_MOVE' }))).to.include({ movingTo: undefined });
  });

  it('ends its CLI first, is on the other host once packed, and arrives once its CLI shows a known screen', () => {
    const packing = stateAfter(live(['setup']), idle, move, { type: 'PANE_CLOSED' });
    expect([phase(packing), place(packing)]).to.deep.equal(['moving.packing', 'hst_near']);
    const carried = stateAfter(packing, packed);
    expect([phase(carried), place(carried)]).to.deep.equal(['moving.unpacking', 'hst_far']);
    const opening = stateAfter(carried, { type: 'UNPACKED', worktree: there }, { type: 'SETUP_DONE' });
    expect([phase(opening), place(opening)]).to.deep.equal(['moving.opening', 'hst_far']);
    const settling = stateAfter(opening, opened);
    expect(decide(agentDefinition, settling, reading('UNCERTAIN'))).to.equal(undefined);
    expect(phase(settling)).to.equal('moving.settling');
    const arrived = stateAfter(settling, idle);
    expect(phase(arrived)).to.equal('live.idle');
    expect(readAgentContext(arrived)).to.deep.include({ worktree: there, move: undefined, prepared: true });
  });

  it('returns if it cannot be packed, or the other host is lost before it runs there', () => {
    const carried = stateAfter(live(), idle, move, { type: 'PANE_CLOSED' }, packed);
    const lost: AgentEvent = { type: 'HOST_LOST', host: 'far', since: '2026-11-21T09:00:00.000Z', left: {} };
    for (const event of [failed, lost, { type: 'CANCEL_MOVE' } as const]) {
      const back = stateAfter(carried, event);
      expect([phase(back), place(back)], event.type).to.deep.equal(['moving.returning.opening', 'hst_near']);
      const resumed = stateAfter(back, opened, idle);
      expect(phase(resumed)).to.equal('live.idle');
      expect(readAgentContext(resumed)).to.deep.include({ worktree, move: undefined });
      expect(viewOf(resumed).failedMove).not.to.equal('');
    }
  });

  it('closes its window on the other host before it returns', () => {
    const opening = stateAfter(live(), idle, move, { type: 'PANE_CLOSED' }, packed, {
      type: 'UNPACKED',
      worktree: there,
    });
    const settling = stateAfter(opening, opened);
    const gone: AgentEvent = { type: 'PANE_GONE', reason: 'no such conversation', briefed: true };
    for (const stopped of [
      stateAfter(opening, failed),
      stateAfter(settling, gone),
      stateAfter(settling, { type: 'CANCEL_MOVE' }),
    ]) {
      expect([phase(stopped), place(stopped)]).to.deep.equal(['moving.undoing.closing', 'hst_far']);
      expect(phase(stateAfter(stopped, failed))).to.equal('moving.undoing.pausing');
      expect(phase(stateAfter(stopped, { type: 'PANE_CLOSED' }))).to.equal('moving.returning.opening');
    }
  });

  it('returns at once from a lost host if a person vouches that it is gone', () => {
    const opening = stateAfter(live(), idle, move, { type: 'PANE_CLOSED' }, packed, {
      type: 'UNPACKED',
      worktree: there,
    });
    const settling = stateAfter(opening, opened);
    const lost: AgentEvent = { type: 'HOST_LOST', host: 'far', since: '2026-11-21T09:00:00.000Z', left: {} };
    const undoing = stateAfter(settling, { type: 'CANCEL_MOVE' });
    for (const waiting of [opening, settling, undoing]) {
      const back = stateAfter(waiting, lost, { type: 'CANCEL_MOVE', gone: true });
      expect([phase(back), place(back)]).to.deep.equal(['moving.returning.opening', 'hst_near']);
      expect(readAgentContext(back)).to.include({ paneId: undefined, away: undefined });
      const resumed = stateAfter(back, opened, idle);
      expect(phase(resumed)).to.equal('live.idle');
      expect(viewOf(resumed).failedMove).to.contain('a person said that far is gone');
    }
  });

  it('stays ended or archived after a move', () => {
    const ended = stateAfter(live(), { type: 'PANE_GONE', reason: 'it ended', briefed: true }, move, packed);
    expect(phase(stateAfter(ended, { type: 'UNPACKED', worktree: there }))).to.equal('dormant');
    const archived = stateAfter(live(), { type: 'ARCHIVE' }, { type: 'PANE_CLOSED' }, move, packed);
    expect(phase(stateAfter(archived, { type: 'UNPACKED', worktree: there }))).to.equal('archived');
    expect(phase(stateAfter(archived, failed))).to.equal('archived');
  });
});
