import { expect } from 'chai';
import { againstMoving } from '#actors/host/effects/moved-worktree.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import { GitFixture } from '../git-fixture.ts';

describe('a worktree that cannot move says so while its agent runs', () => {
  let fixture: GitFixture;
  let order: { repository: string; path: string; branch: string };
  beforeEach(async () => {
    fixture = new GitFixture();
    const repository = fixture.repository('r', { 'a.txt': 'one\n' });
    order = { repository, path: fixture.path('w/one'), branch: 'muster/one-agt_1' };
    await addWorktree({ ...order, reason: 'muster agt_1' });
  });
  afterEach(() => fixture.dispose());

  async function against(): Promise<readonly string[]> {
    const found = await inspectWorktree(order);
    if (found.state !== 'present') throw new Error(`the worktree is ${found.state}`);
    return againstMoving(found.facts);
  }

  it('with conflicts, also without a merge in progress, as `git stash pop` leaves them', async () => {
    fixture.write('w/one/a.txt', 'stashed\n');
    fixture.git('w/one', 'stash', '-q');
    fixture.write('w/one/a.txt', 'committed\n');
    fixture.commit('w/one', 'other');
    expect(await against()).to.deep.equal([]);
    expect(() => fixture.git('w/one', 'stash', 'pop')).to.throw();
    expect(await against()).to.deep.equal([
      'its worktree has conflicts: resolve them, and mark them with git add: a.txt',
    ]);
    fixture.git('w/one', 'add', 'a.txt');
    expect(await against()).to.deep.equal([]);
  });

  it('on a branch without commits', async () => {
    fixture.git('w/one', 'checkout', '-q', '--orphan', 'new');
    expect(await against()).to.deep.equal(['its branch has no commit yet: make one']);
  });
});
