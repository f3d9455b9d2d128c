import { expect } from 'chai';
import { settleMs, settles } from '#machines/settle.ts';

describe('settling of readings', () => {
  it('shows a question and work at once', () => {
    for (const state of ['AGENT_STATE_WAITING', 'AGENT_STATE_THINKING'] as const) {
      expect(settles('AGENT_STATE_IDLE', { state }, 0)).to.equal(true);
    }
  });

  it('shows rest after work only once the screen is unchanged', () => {
    expect(settles('AGENT_STATE_THINKING', { state: 'AGENT_STATE_IDLE' }, settleMs - 1)).to.equal(false);
    expect(settles('AGENT_STATE_THINKING', { state: 'AGENT_STATE_IDLE' }, settleMs)).to.equal(true);
    expect(settles('AGENT_STATE_IDLE', { state: 'AGENT_STATE_IDLE' }, 0)).to.equal(true);
  });

  it('keeps work through one undecided screen', () => {
    expect(settles('AGENT_STATE_THINKING', { state: 'AGENT_STATE_UNCERTAIN' }, 0)).to.equal(false);
  });
});
