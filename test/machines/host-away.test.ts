import { expect } from 'chai';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition, viewOf } from '#machines/agent/agent-view.ts';
import { begin, type Decision, decide } from '#machines/decide.ts';

const minute = 60_000;
const since = '2026-11-21T09:00:00.000Z';
const lost = (left: number) => ({ type: 'HOST_LOST', host: 'build-2', since, left: { archiving: left } }) as const;

describe('an agent of an unreachable host', () => {
  const worktree = { repository: '/repo/.git', path: '/w', branch: 'b', baseSha: 'a', copied: [] };
  const birth: readonly AgentEvent[] = [
    { type: 'WORKTREE_READY', worktree },
    { type: 'WINDOW_OPENED', paneId: '%1' },
    { type: 'BRIEFED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } },
    { type: 'ARCHIVE' },
  ];
  const told = (snapshot: StoredSnapshot, event: AgentEvent) => decide(agentDefinition, snapshot, event) as Decision;
  const archiving = birth.reduce(
    (snapshot, event) => told(snapshot, event).snapshot,
    begin(agentDefinition, { name: 'a', provision: true, scripts: [] }).snapshot,
  );

  it('waits: no limit expires, nothing is cancelled, and its row shows it', () => {
    const away = told(archiving, lost(42_000));
    expect(away.deadlines).to.deep.equal({ archiving: null });
    expect(away.cancels).to.equal(false);
    expect(viewOf(away.snapshot)).to.include({
      phase: 'archiving',
      stateReason: `waits for host build-2, which has been silent since ${since}`,
    });
    expect(away.facts.map(({ kind }) => kind)).to.deep.equal(['agent.state-moved']);
  });

  it('continues with the rest of its time limits, never more than the whole', () => {
    const back = told(told(archiving, lost(42_000)).snapshot, { type: 'HOST_BACK' });
    expect(back.deadlines).to.deep.equal({ archiving: 42_000 });
    expect(viewOf(back.snapshot)).to.include({ phase: 'archiving', stateReason: '' });
    expect(told(told(archiving, lost(2 * minute)).snapshot, { type: 'HOST_BACK' }).deadlines).to.deep.equal({
      archiving: minute,
    });
    expect(decide(agentDefinition, back.snapshot, { type: 'HOST_BACK' })).to.equal(undefined);
  });

  it('has the whole limit for a step that begins meanwhile', () => {
    const deleted = told(told(archiving, lost(42_000)).snapshot, { type: 'DELETE', force: false });
    expect(deleted.deadlines).to.deep.equal({});
    expect(viewOf(deleted.snapshot).stateReason).to.match(/^deleting; waits for host build-2/);
    const begun = told(deleted.snapshot, { type: 'HOST_BACK' });
    expect(begun.deadlines).to.deep.equal({ 'cleaningUp.inspecting': 5 * minute });
    expect(viewOf(begun.snapshot).stateReason).to.equal('deleting');
  });
});
