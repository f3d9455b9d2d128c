import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { detailText } from '#contract/fact/detail-text.ts';
import { enumWord } from '#contract/fact/enum-word.ts';
import { whyOfFact } from '#contract/fact/notice-of-fact.ts';
import { valueWords } from '#contract/fact/value-words.ts';

describe('the words for facts’ values', () => {
  for (const [value, words] of [
    ['AGENT_STATE_SETTING_UP', 'setting up'],
    ['RUN_STATE_CALLED_OFF', 'called off'],
    ['settingUp.preparing', 'the setup script runs'],
    ['CHECKS_FAILING', 'failing'],
    ['MERGEABILITY_CONFLICTING', 'conflicting'],
    ['REVIEW_DECISION_CHANGES_REQUESTED', 'changes requested'],
    ['RUN_SCRIPT_SETUP', 'setup'],
    [{ summary: 'the setup script failed', output: '' }, 'summary the setup script failed'],
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

  it('name fields and show a transition', () => {
    const detail = {
      from: 'AGENT_STATE_THINKING',
      to: 'AGENT_STATE_WAITING',
      reason: 'permission\nmore',
      waitingFor: 'y/n',
    };
    expect(detailText(JSON.stringify(detail), valueWords)).to.equal('thinking → waiting: permission, waiting for y/n');
  });

  it('end a failure with the explaining line, not the start of the output', () => {
    const reason = 'preparing: the setup script ended with 1; its last output:\nls: no such file\n';
    const failed = { reason, line: 'ls: no such file' };
    const line = 'preparing: the setup script ended with 1: ls: no such file';
    expect(detailText(JSON.stringify(failed), valueWords)).to.equal(line);
    expect(whyOfFact(failed)).to.equal(line);
    expect(whyOfFact({ reason })).to.equal('preparing: the setup script ended with 1');
    const died = { reason: 'the CLI exited with status 2; its screen shows: Usage', line: 'bad option' };
    expect(whyOfFact(died)).to.equal('the CLI exited with status 2: bad option');
    expect(detailText('{"from":"available","message":""}', valueWords)).to.equal('available');
  });

  it('exist for every value of an enumeration', () => {
    const folder = new URL('../../proto/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.proto'));
    const values = files.flatMap(
      (path) => readFileSync(new URL(path, folder), 'utf8').match(/[A-Z_]+(?= = \d+;)/g) ?? [],
    );
    expect(values.length).to.be.above(100);
    expect(values.filter((value) => enumWord(value) === undefined)).to.deep.equal([]);
  });
});
