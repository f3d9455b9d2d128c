import { existsSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { removeWorktree, type WorktreeRemovalOptions } from '#world/git/worktree/worktree-removal.ts';
import { GitFixture } from '../git-fixture.ts';

describe('a submodule that a worktree no longer has checked out', () => {
  let fixture: GitFixture;
  let order: WorktreeRemovalOptions;
  const store = () => fixture.path('r/.git/worktrees/one/modules/lib');
  beforeEach(async () => {
    fixture = new GitFixture();
    fixture.repository('lib');
    const repository = fixture.repository('r');
    fixture.git('r', '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', fixture.path('lib'), 'lib');
    fixture.commit('r', 'with lib');
    fixture.publish('r');
    order = { repository, path: fixture.path('w/one'), branch: 'muster/one-agt_1', agentId: 'agt_1', force: false };
    await addWorktree({ repository, path: order.path, branch: order.branch, reason: 'muster agt_1' });
    fixture.git('w/one', '-c', 'protocol.file.allow=always', 'submodule', 'update', '-q', '--init');
    fixture.write('w/one/lib/n.txt', 'x');
    fixture.commit('w/one/lib', 'unpushed');
    fixture.git('w/one', 'submodule', 'deinit', '-q', '-f', 'lib');
  });
  afterEach(() => fixture.dispose());

  it('keeps the worktree while it has commits that are on none of its remotes', async () => {
    const reasons = ['submodules not checked out, with commits on no remote: lib'];
    expect(await removeWorktree(order)).to.deep.equal({ removed: false, reasons });
    fixture.git('lib', 'checkout', '-q', '--detach');
    fixture.git('.', `--git-dir=${store()}`, 'push', '-q', 'origin', 'HEAD:main');
    expect(await removeWorktree(order)).to.deep.include({ removed: true });
  });

  it('does so without a folder of the worktree, too, and on a commit without the submodule', async () => {
    fixture.git('w/one', 'rm', '-q', 'lib');
    fixture.commit('w/one', 'without lib');
    fixture.git('w/one', 'push', '-q', 'origin', 'HEAD');
    expect(await removeWorktree(order)).to.deep.include({ removed: false });
    rmSync(order.path, { recursive: true });
    expect(await removeWorktree(order)).to.deep.include({ removed: false });
    expect(existsSync(store())).to.equal(true);
  });

  it('that was copied from a checkout is not missed if it has nothing which that lacks', async () => {
    fixture.git('.', `--git-dir=${store()}`, 'push', '-q', fixture.path('r/.git/modules/lib'), 'HEAD:refs/heads/kept');
    expect(await removeWorktree({ ...order, original: fixture.path('r') })).to.deep.include({ removed: true });
  });
});
