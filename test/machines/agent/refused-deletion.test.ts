import { expect } from 'chai';
import type { PaneState } from '#contract/agent/agent-state.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { phases } from './agent-events.ts';
import { reached, stateAfter } from './reached-agents.ts';

/** Where a launch begins again whose steps are ended. */
function phaseAgain({ context }: StoredSnapshot): string {
  const { worktree, prepared } = context as AgentContext;
  if (worktree === undefined) return 'settingUp.provisioning';
  return prepared ? 'settingUp.opening' : 'settingUp.preparing';
}

describe('an agent whose deletion is refused', () => {
  const snapshots = reached();
  const asked = { type: 'DELETE', force: false } as const;
  const refused = {
    type: 'STEP_FAILED',
    step: 'inspecting',
    reason: 'this would be lost: 1 untracked file',
  } as const;
  const late = { type: 'DEADLINE', name: 'cleaningUp.inspecting' } as const;
  const froms = phases.filter((phase) => phase !== 'gone' && !phase.startsWith('cleaningUp'));
  for (const phase of froms) {
    it(`in ${phase}`, () => {
      const stood = snapshots.get(phase) as StoredSnapshot;
      const before = viewOf(stood);
      // Steps in progress begin again, and adopt completed work.
      const again = phase.startsWith('settingUp')
        ? { phase: phaseAgain(stood), state: 'AGENT_STATE_SETTING_UP', stateReason: '' }
        : {};
      for (const [event, refusedDeletion] of [
        [refused, refused.reason],
        [late, 'it could not be checked in time whether work would be lost'],
      ] as const) {
        const looked = stateAfter(stood, asked);
        expect(viewOf(looked)).to.include({
          phase: 'cleaningUp.inspecting',
          stateReason: 'deleting',
          paneId: before.paneId,
        });
        expect(viewOf(stateAfter(looked, event))).to.deep.equal({
          ...before,
          waitingFor: '',
          ...again,
          refusedDeletion,
        });
      }
    });
  }

  it('and shows the refusal until it works, or is deleted, archived or restored', () => {
    const reading = (state: PaneState) => ({ type: 'READING', reading: { state, reason: '' } }) as const;
    const known = stateAfter(snapshots.get('live.idle') as StoredSnapshot, asked, refused);
    expect(viewOf(stateAfter(known, reading('AGENT_STATE_WAITING'))).refusedDeletion).to.equal(refused.reason);
    for (const event of [reading('AGENT_STATE_THINKING'), asked, { type: 'ARCHIVE' }] as const)
      expect(viewOf(stateAfter(known, event)).refusedDeletion, event.type).to.equal('');
    const dormant = stateAfter(snapshots.get('dormant') as StoredSnapshot, asked, refused);
    expect(viewOf(stateAfter(dormant, { type: 'RESTORE' })).refusedDeletion).to.equal('');
  });

  it('and applies meanwhile readings', () => {
    const looked = stateAfter(snapshots.get('live.thinking') as StoredSnapshot, asked);
    const reading = { state: 'AGENT_STATE_IDLE', reason: '' } as const;
    expect(viewOf(stateAfter(looked, { type: 'READING', reading }, refused)).phase).to.equal('live.idle');
    const gone = { type: 'PANE_GONE', reason: 'the CLI exited with status 0', briefed: true } as const;
    expect(viewOf(stateAfter(looked, gone, refused))).to.include({
      phase: 'dormant',
      alive: false,
      stateReason: gone.reason,
    });
  });

  it('and can retry an earlier failure as before', () => {
    const archiving = stateAfter(snapshots.get('archiving') as StoredSnapshot, {
      type: 'STEP_FAILED',
      step: 'closing',
      reason: 'no',
    });
    const kept = stateAfter(archiving, asked, refused);
    expect(viewOf(kept)).to.include({
      phase: 'failedToCleanup',
      stateReason: 'closing: no',
      refusedDeletion: refused.reason,
    });
    expect(viewOf(stateAfter(kept, { type: 'RETRY' })).phase).to.equal('archiving');
  });
});
