import { expect } from 'chai';
import { taskOf } from '#contract/agent/briefing.ts';
import { briefCount, distinctBranch, lastWords, wordFilter } from '#contract/agent/row-text.ts';

describe('the text of a row', () => {
  it('omits a branch that only repeats the name', () => {
    expect(distinctBranch({ name: 'fix-login', branch: 'muster/fix-login-4k2m9q7x' })).to.equal('');
    expect(distinctBranch({ name: 'fix-login', branch: 'fix-login' })).to.equal('');
    expect(distinctBranch({ name: 'fix-login', branch: 'muster/fix-logout-4k2m9q7x' })).to.equal(
      'muster/fix-logout-4k2m9q7x',
    );
    expect(distinctBranch({ name: 'fix-login', branch: 'main' })).to.equal('main');
    expect(distinctBranch({ name: 'fix', branch: 'fix-login-4k2m9q7x' })).to.equal('fix-login-4k2m9q7x');
    expect(distinctBranch({ name: 'fix' })).to.equal('');
  });

  it('ends with a resting agent’s last words, unless its state says the same', () => {
    expect(lastWords({ reportedReason: 'done: All tests pass.' }, 'idle')).to.equal('done: All tests pass.');
    expect(lastWords({ reportedReason: 'done: All tests pass.' }, 'thinking')).to.equal('');
    for (const reportedReason of ['session startup', 'working', 'ready'])
      expect(lastWords({ reportedReason }, 'ended'), reportedReason).to.equal('');
  });

  it('matches all words of a search, in any case and order', () => {
    const agent = { name: 'login-expiry', task: 'Find out why sessions end', harness: 'claude' };
    const finds = (words: string) => wordFilter(words)(agent, ['shop']);
    expect(['', 'SESSIONS login', 'shop claude'].every(finds)).to.equal(true);
    expect(finds('sessions logout')).to.equal(false);
  });

  it('shows large counts in few characters', () => {
    expect([0, 7, 999, 1000, 1249, 9949, 9950, 34_400].map(briefCount)).to.deep.equal([
      '0',
      '7',
      '999',
      '1.0k',
      '1.2k',
      '9.9k',
      '10k',
      '34k',
    ]);
  });

  it('uses the first meaningful line of a prompt as the task, at most 200 characters', () => {
    expect(taskOf('\n\n## Fix the login\nIt fails.')).to.equal('Fix the login');
    expect(taskOf('#hashtag first')).to.equal('#hashtag first');
    expect(taskOf('')).to.equal('');
    expect([...taskOf('😀'.repeat(300))]).to.have.length(200);
  });
});
