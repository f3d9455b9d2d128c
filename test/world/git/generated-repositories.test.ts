import { existsSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { inSoak } from '#test/support/soak.ts';
import { inTurn } from '#test/support/some-of.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import { removeWorktree, type WorktreeRemovalOptions } from '#world/git/worktree/worktree-removal.ts';
import { GitFixture } from '../git-fixture.ts';

describe('a repository in a folder of a worktree that tools make again', () => {
  const reason = 'submodules or repositories of their own: node_modules/lib';
  let fixture: GitFixture;
  let order: WorktreeRemovalOptions;
  beforeEach(async () => {
    fixture = new GitFixture();
    const repository = fixture.repository('r', { 'a.txt': 'one\n', '.gitignore': 'node_modules/\n' });
    fixture.publish('r');
    fixture.repository('lib', { 'b.txt': 'two\n' });
    fixture.publish('lib');
    order = { repository, path: fixture.path('w/one'), branch: 'muster/one-agt_1', agentId: 'agt_1', force: false };
    await addWorktree({ repository, path: order.path, branch: order.branch, reason: 'muster agt_1' });
    const remote = fixture.git('lib', 'remote', 'get-url', 'origin').trim();
    fixture.git('w/one', 'clone', '-q', remote, 'node_modules/lib');
  });
  afterEach(() => fixture.dispose());

  const against = async (buildFolders?: readonly string[]): Promise<readonly string[]> => {
    const found = await inspectWorktree({ ...order, buildFolders });
    return found.state === 'present' ? found.facts.repositories : ['none'];
  };

  it('keeps the worktree if it has files or commits that are nowhere else', async () => {
    expect(await against()).to.deep.equal([]);
    fixture.write('w/one/node_modules/lib/new.txt', 'work\n');
    expect(await removeWorktree(order)).to.deep.equal({ removed: false, reasons: [reason] });
    fixture.commit('w/one/node_modules/lib', 'work');
    expect(await removeWorktree(order)).to.deep.equal({ removed: false, reasons: [reason] });
    fixture.git('w/one/node_modules/lib', 'push', '-q', 'origin', 'HEAD:refs/heads/work');
    expect(await removeWorktree(order)).to.deep.equal({ removed: true, branchDeleted: true });
    expect(existsSync(order.path)).to.equal(false);
  });

  describe('that was cloned', () => {
    const clone = 'w/one/node_modules/lib';
    beforeEach(() => {
      // A tag off the remote's branches.
      fixture.git('lib', 'checkout', '-q', '--detach');
      fixture.commit('lib', 'a fix');
      fixture.git('lib', 'tag', '-a', 'release/v1', '-m', 'the first one');
      fixture.git('lib', 'push', '-q', 'origin', 'release/v1');
      rmSync(fixture.path(clone), { recursive: true });
    });

    const cloned = (...args: readonly string[]): void => {
      const remote = `file://${fixture.git('lib', 'remote', 'get-url', 'origin').trim()}`;
      fixture.git('w/one', 'clone', '-q', ...args, remote, 'node_modules/lib');
    };

    inTurn('has nothing of its own with all tags, or of one tag alone', async () => {
      cloned();
      expect(await against(), 'all').to.deep.equal([]);
      fixture.git(clone, 'checkout', '-q', 'release/v1');
      expect(await against(), 'at the tag').to.deep.equal([]);
      rmSync(fixture.path(clone), { recursive: true });
      cloned('--depth', '1', '--branch', 'release/v1');
      expect(await against(), 'shallow').to.deep.equal([]);
      fixture.commit(clone, 'work');
      expect(await against(), 'a commit above it').to.deep.equal(['node_modules/lib']);
      fixture.git(clone, 'tag', 'mine');
      expect(await against(), 'a commit that only a tag of its own names').to.deep.equal(['node_modules/lib']);
      fixture.git(clone, 'push', '-q', 'origin', 'HEAD:refs/heads/work');
      fixture.git(clone, 'fetch', '-q', 'origin', '+refs/heads/work:refs/remotes/origin/work');
      expect(await against(), 'pushed').to.deep.equal([]);
    });

    inSoak('has nothing of its own with submodules, or of one commit alone', async () => {
      fixture.repository('sub', { 'c.txt': 'three\n' });
      fixture.publish('sub');
      const remote = `file://${fixture.git('sub', 'remote', 'get-url', 'origin').trim()}`;
      fixture.git('lib', 'checkout', '-q', 'main');
      fixture.git('lib', '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', remote, 'sub');
      fixture.commit('lib', 'with a submodule');
      fixture.git('lib', 'push', '-q', 'origin', 'main');
      cloned();
      fixture.git(clone, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
      expect(await against(), 'a submodule').to.deep.equal([]);
      fixture.commit(`${clone}/sub`, 'work');
      expect(await against(), 'work in it').to.deep.equal(['node_modules/lib']);
      rmSync(fixture.path(clone), { recursive: true });
      fixture.git('w/one', 'init', '-q', 'node_modules/lib');
      const [url, sha] = [fixture.git('lib', 'remote', 'get-url', 'origin'), fixture.git('lib', 'rev-parse', 'main')];
      fixture.git(clone, 'fetch', '-q', '--depth', '1', `file://${url.trim()}`, sha.trim());
      fixture.git(clone, 'checkout', '-q', 'FETCH_HEAD');
      expect(await against(), 'a commit').to.deep.equal([]);
      fixture.commit(clone, 'work');
      expect(await against(), 'a commit above it').to.deep.equal(['node_modules/lib']);
      fixture.git(clone, 'fetch', '-q', '.', 'HEAD');
      expect(await against(), 'fetched from itself').to.deep.equal(['node_modules/lib']);
    });

    inTurn('keeps the worktree for a stash, and for a branch', async () => {
      cloned();
      fixture.write(`${clone}/b.txt`, 'changed\n');
      fixture.git(clone, 'stash');
      expect(await against(), 'a stash').to.deep.equal(['node_modules/lib']);
      fixture.git(clone, 'stash', 'drop', '-q');
      expect(await against(), 'without it').to.deep.equal([]);
      fixture.git(clone, 'checkout', '-q', '-b', 'local');
      fixture.commit(clone, 'work');
      fixture.git(clone, 'checkout', '-q', 'release/v1');
      expect(await against(), 'a branch').to.deep.equal(['node_modules/lib']);
    });
  });

  it('keeps the worktree in any case if a person has named the folder', async () => {
    expect(await against(['node_modules'])).to.deep.equal(['node_modules/lib']);
  });
});
