import { expect } from 'chai';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { reached, stateAfter } from './reached-agents.ts';

describe('the fault behind a failure’s reason', () => {
  const snapshots = reached();

  it('is kept while that is the reason', () => {
    const account = { summary: 'the setup script ended with 1', output: 'installing\nError: no such package\nbye\n' };
    const failed = { type: 'STEP_FAILED', step: 'preparing', reason: 'whole', account } as const;
    const broken = stateAfter(snapshots.get('settingUp.preparing') as StoredSnapshot, failed);
    expect(viewOf(broken)).to.deep.include({
      stateReason: 'preparing: whole',
      fault: {
        summary: 'preparing: the setup script ended with 1',
        line: 'Error: no such package',
        output: account.output,
      },
    });
    expect(viewOf(stateAfter(broken, { type: 'RETRY' })).fault).to.equal(undefined);
    const gone = {
      type: 'PANE_GONE',
      reason: 'whole',
      briefed: false,
      account: { summary: 'the CLI exited with status 1', output: 'Error: Invalid API key' },
    } as const;
    expect(
      viewOf(stateAfter(snapshots.get('settingUp.briefing.delivering') as StoredSnapshot, gone)).fault,
    ).to.deep.include({
      summary: 'briefing: the CLI ended before it visibly accepted its briefing: the CLI exited with status 1',
      line: 'Error: Invalid API key',
    });
    expect(viewOf(stateAfter(snapshots.get('live.idle') as StoredSnapshot, gone)).fault).to.deep.include({
      line: 'Error: Invalid API key',
    });
  });
});
