import { expect } from 'chai';
import fc from 'fast-check';
import { AgentState } from '#contract/agent/agent-state.ts';
import { isEnded, rankOf } from '#contract/agent/attention.ts';
import { elapsedText } from '#contract/elapsed.ts';
import { PullRequestState } from '#contract/forge/pull-request.ts';
import { pullRequestWord } from '#contract/forge/pull-request-words.ts';

describe('the words that page and command line share', () => {
  it('sort agents that need a person first, and idle ones last', () => {
    const agent = { alive: true, archivedAt: '', lastKnownAt: '' };
    const states = AgentState.options.toSorted(
      (one, other) => rankOf({ ...agent, state: one }) - rankOf({ ...agent, state: other }),
    );
    expect(states.map((state) => state.replace('AGENT_STATE_', ''))).to.deep.equal([
      'WAITING',
      'FAILED_TO_CREATE',
      'FAILED_TO_CLEANUP',
      'UNSPECIFIED',
      'UNCERTAIN',
      'IDLE',
      'THINKING',
      'SETTING_UP',
    ]);
    for (const state of [...AgentState.options, 'AGENT_STATE_OF_TOMORROW']) {
      expect(rankOf({ ...agent, state, archivedAt: '2026-11-21T09:00:00Z' })).to.equal(7);
      expect(rankOf({ ...agent, state }), 'never behind one that has ended').to.be.below(6);
    }
  });

  it('show an agent as ended once its pane is gone, unless its host is lost or it needs none', () => {
    const state = 'AGENT_STATE_IDLE';
    expect(isEnded({ state, alive: false })).to.equal(true);
    expect(isEnded({ state, alive: true })).to.equal(false);
    expect(isEnded({ state, alive: false, lastKnownAt: '2026-11-21T09:00:00Z' })).to.equal(false);
    for (const none of ['SETTING_UP', 'FAILED_TO_CREATE', 'FAILED_TO_CLEANUP'])
      expect(isEnded({ state: `AGENT_STATE_${none}`, alive: false }), none).to.equal(false);
  });

  it('show elapsed time in its largest whole unit', () => {
    const told = [-5, 0, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 900_000_000].map(elapsedText);
    expect(told).to.deep.equal(['0s', '0s', '59s', '1m', '59m', '1h', '23h', '1d', '10d']);
    fc.assert(fc.property(fc.nat(), (ms) => void expect(elapsedText(ms)).to.match(/^\d+[smhd]$/)));
  });

  it('name each state of a pull request, and unknown ones', () => {
    for (const state of PullRequestState.options) {
      const small = state.replace('PULL_REQUEST_STATE_', '').toLowerCase().replaceAll('_', ' ');
      expect(pullRequestWord(state)).to.equal(small === 'unspecified' ? 'unknown' : small);
    }
    expect(pullRequestWord('PULL_REQUEST_STATE_OF_TOMORROW')).to.equal('unknown');
  });

  it('lists an agent whose budget is used up with those that wait, unless its CLI has ended', () => {
    const [idle, waiting] = ['AGENT_STATE_IDLE', 'AGENT_STATE_WAITING'];
    const rank = (state: string, alive: boolean, overBudget?: object) => rankOf({ state, alive, overBudget });
    expect(rank(idle, true, {}))
      .to.equal(rank(waiting, true))
      .and.below(rank(idle, true));
    expect(rank(idle, false, {})).to.equal(rank(idle, false));
  });
});
