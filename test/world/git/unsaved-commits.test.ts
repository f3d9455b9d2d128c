import { expect } from 'chai';
import { baseTips, unsavedCommits } from '#world/git/checkout/unsaved-commits.ts';
import { openRepository } from '#world/git/repository/repository.ts';
import { GitFixture } from '../git-fixture.ts';

describe('git/unsaved-commits', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
  let fixture: GitFixture;
  beforeEach(() => {
    fixture = new GitFixture();
    fixture.repository('r', { 'a.txt': lines.join(''), 'b.txt': 'two\n' });
    fixture.publish('r');
    fixture.git('r', 'checkout', '-q', '-b', 'work');
    fixture.write('r/a.txt', lines.with(2, 'work\n').join(''));
    fixture.commit('r', 'work');
    fixture.write('r/c.txt', 'more\n');
    fixture.commit('r', 'more');
    fixture.git('r', 'checkout', '-q', 'main');
  });
  afterEach(() => fixture.dispose());

  /** How many of the branch's two commits would be lost. */
  async function unheld(base?: string): Promise<number> {
    const at = await openRepository(fixture.path('r'));
    return unsavedCommits(at, [fixture.git('r', 'rev-parse', 'work')], await baseTips(at, base));
  }

  const squash = (): void => {
    fixture.git('r', 'merge', '-q', '--squash', 'work');
    fixture.commit('r', 'squash');
  };

  it('counts commits that exist nowhere else', async () => {
    expect(await unheld()).to.equal(2);
  });

  it('ignores pushed commits, all or in part', async () => {
    fixture.git('r', 'push', '-q', 'origin', 'work~1:refs/heads/part');
    fixture.git('r', 'fetch', '-q', 'origin');
    expect(await unheld()).to.equal(1);
    fixture.git('r', 'push', '-q', 'origin', 'work');
    expect(await unheld()).to.equal(0);
  });

  it('ignores merged commits, fast-forward or not', async () => {
    fixture.git('r', 'merge', '-q', '--no-ff', '-m', 'merge', 'work');
    expect(await unheld()).to.equal(0);
    fixture.git('r', 'reset', '-q', '--hard', 'work');
    expect(await unheld()).to.equal(0);
  });

  it('ignores squashed or cherry-picked commits, though other files have changed since', async () => {
    fixture.commit('r', 'elsewhere');
    fixture.git('r', 'cherry-pick', 'work~1', 'work');
    expect(await unheld()).to.equal(0);
    fixture.git('r', 'reset', '-q', '--hard', 'origin/main');
    squash();
    fixture.write('r/b.txt', 'elsewhere\n');
    fixture.commit('r', 'elsewhere');
    expect(await unheld()).to.equal(0);
  });

  it('ignores squashed commits, though the same file has changed elsewhere since', async () => {
    squash();
    fixture.write('r/a.txt', lines.with(2, 'work\n').with(25, 'later\n').join(''));
    fixture.commit('r', 'later');
    expect(await unheld()).to.equal(0);
  });

  it('ignores commits of the named base', async () => {
    fixture.git('r', 'branch', 'develop', 'work');
    expect(await unheld()).to.equal(2);
    expect(await unheld('develop')).to.equal(0);
  });

  it('counts all commits if only half of the work landed', async () => {
    fixture.commit('r', 'elsewhere');
    fixture.git('r', 'cherry-pick', 'work~1');
    expect(await unheld()).to.equal(2);
  });

  it('counts all if they landed and were reverted, or landed with other content', async () => {
    squash();
    fixture.write('r/a.txt', lines.with(2, 'work, but better\n').join(''));
    fixture.commit('r', 'polish');
    expect(await unheld()).to.equal(2);
    fixture.git('r', 'revert', '--no-edit', 'HEAD~1..HEAD');
    fixture.git('r', 'revert', '--no-edit', 'HEAD~2');
    expect(await unheld()).to.equal(2);
  });

  it('counts all if commits cancel each other out', async () => {
    fixture.git('r', 'checkout', '-q', 'work');
    fixture.git('r', 'revert', '--no-edit', 'HEAD', 'HEAD~1');
    fixture.git('r', 'checkout', '-q', 'main');
    expect(await unheld()).to.equal(4);
  });

  it('counts all if history is unrelated, or related only by a graft', async () => {
    fixture.git('r', 'replace', '-f', 'main', 'work');
    expect(await unheld()).to.equal(2);
    fixture.git('r', 'replace', '-d', 'main');
    fixture.git('r', 'checkout', '-q', '--orphan', 'other');
    fixture.commit('r', 'unrelated');
    expect(await unheld('other')).to.equal(2);
  });
}).timeout(60_000);
