import { expect } from 'chai';
import { detailText } from '#contract/fact/detail-text.ts';
import { valueWords } from '#contract/fact/value-words.ts';

describe('what facts hold, in words', () => {
  for (const [value, words] of [
    ['AGENT_STATE_SETTING_UP', 'setting up'],
    ['RUN_STATE_CALLED_OFF', 'called off'],
    ['settingUp.preparing', 'the setup script runs'],
    ['CHECKS_FAILING', 'failing'],
    ['MERGEABILITY_CONFLICTING', 'conflicting'],
    ['REVIEW_DECISION_CHANGES_REQUESTED', 'changes requested'],
    ['main.ts', 'main.ts'],
    ['login-expiry', 'login-expiry'],
    ['https://example.com/a.b', 'https://example.com/a.b'],
    [{ additions: 3, isWhole: false, files: ['a', 'b'] }, 'additions 3, is whole no, files a, b'],
    [[], 'none'],
    [null, 'none'],
    [true, 'yes'],
    [7, '7'],
  ] as const) {
    it(`are ${JSON.stringify(words)} for ${JSON.stringify(value)}`, () => expect(valueWords(value)).to.equal(words));
  }

  it('name fields and show a move', () => {
    const detail = {
      from: 'AGENT_STATE_THINKING',
      to: 'AGENT_STATE_WAITING',
      reason: 'permission\nmore',
      waitingFor: 'y/n',
    };
    expect(detailText(JSON.stringify(detail), valueWords)).to.equal('thinking → waiting: permission, waiting for y/n');
  });
});
