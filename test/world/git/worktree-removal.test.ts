import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { inTurn } from '#test/support/some-of.ts';
import { keepSnapshot } from '#world/git/worktree/kept-snapshot.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { inspectWorktree, type WorktreeFacts } from '#world/git/worktree/worktree-inspection.ts';
import {
  removeWorktree,
  type WorktreeRemoval,
  type WorktreeRemovalOptions,
} from '#world/git/worktree/worktree-removal.ts';
import { GitFixture } from '../git-fixture.ts';

describe('git/worktree-removal', () => {
  let fixture: GitFixture;
  let order: WorktreeRemovalOptions;
  const kept = 'refs/muster/kept/agt_1';
  beforeEach(async () => {
    fixture = new GitFixture();
    const repository = fixture.repository('r', {
      'a.txt': 'one\n',
      'b.txt': 'two\n',
      '.gitignore': '.env*\nnode_modules/\nsecret/\n*.log\n',
    });
    fixture.publish('r');
    order = { repository, path: fixture.path('w/one'), branch: 'muster/one-agt_1', agentId: 'agt_1', force: false };
    await addWorktree({ repository, path: order.path, branch: order.branch, reason: 'muster agt_1' });
  });
  afterEach(() => fixture.dispose());

  async function facts(): Promise<WorktreeFacts> {
    const found = await inspectWorktree(order);
    if (found.state !== 'present') throw new Error(`the worktree is ${found.state}`);
    return found.facts;
  }

  const refs = (): string => fixture.git('r', 'for-each-ref', '--format=%(refname) %(objectname)');

  function expectGone(outcome: WorktreeRemoval, branchDeleted: boolean): void {
    expect(outcome).to.deep.equal({ removed: true, branchDeleted });
    expect(existsSync(order.path)).to.equal(false);
    expect(readdirSync(dirname(order.path)).filter((name) => name.includes('.muster-removed'))).to.deep.equal([]);
    expect(fixture.git('r', 'worktree', 'list').split('\n')).to.have.length(1);
    expect(fixture.git('r', 'branch', '--list', order.branch) === '').to.equal(branchDeleted);
  }

  /** Refused, for this reason alone, with folder, index and references as they were. */
  async function expectRefused(reason: RegExp): Promise<void> {
    const index = readFileSync(fixture.path('r/.git/worktrees/one/index'));
    const before = refs();
    const outcome = await removeWorktree(order);
    expect(outcome.removed).to.equal(false);
    if (outcome.removed) return;
    expect(outcome.reasons).to.have.length(1);
    expect(outcome.reasons[0]).to.match(reason);
    expect(existsSync(order.path)).to.equal(true);
    expect(readFileSync(fixture.path('r/.git/worktrees/one/index')).equals(index)).to.equal(true);
    expect(refs()).to.equal(before);
  }

  it('removes a clean worktree with its branch, and returns the same when repeated', async () => {
    expectGone(await removeWorktree(order), true);
    expect(refs()).to.not.contain('muster');
    expect(await removeWorktree(order)).to.deep.equal({ removed: true, branchDeleted: false });
  });

  it('ignores copied files and those that tools regenerate', async () => {
    fixture.write('w/one/.env', 'COPIED=1');
    fixture.write('w/one/secret/deep/copied.pem', 'x');
    fixture.write('w/one/unignored.cfg', 'x');
    fixture.write('w/one/node_modules/x/index.js', 'x');
    fixture.write('w/one/debug.log', 'x');
    const copied = ['.env', 'secret/deep/copied.pem', 'unignored.cfg'];
    expectGone(await removeWorktree({ ...order, copied }), true);
  });

  inSoak('counts what the person ignores everywhere as ignored', async () => {
    const { HOME: home } = process.env;
    process.env['HOME'] = fixture.home;
    try {
      fixture.write('w/one/.DS_Store', 'x');
      fixture.write('w/one/.idea/mine.xml', 'x');
      expect((await facts()).untracked).to.have.length(2);
      fixture.write('home/.config/git/ignore', '.DS_Store\n.idea/\n');
      expect(await facts()).to.deep.include({ untracked: [], ignored: ['.idea/mine.xml'] });
      fixture.git('r', 'config', '--global', 'core.excludesFile', '~/mine');
      fixture.write('home/mine', '.DS_Store\n');
      expect((await facts()).untracked).to.deep.equal(['.idea/mine.xml']);
    } finally {
      process.env['HOME'] = home;
    }
  });

  describe('refuses, without effect, if there', () => {
    it('is an edit', async () => {
      fixture.write('w/one/a.txt', 'ONE\n');
      await expectRefused(/^1 changed file not committed: a\.txt$/);
    });
    inSoak('is an edit of the same length in the second in which git last looked', async () => {
      const second = (): number => Math.floor(Date.now() / 1000);
      const before = second();
      await moment('a new second', () => second() !== before);
      fixture.write('w/one/a.txt', 'one\n');
      fixture.git('w/one', 'update-index', '--refresh');
      fixture.write('w/one/a.txt', 'six\n');
      const edited = second();
      await moment('the next second', () => second() !== edited);
      await expectRefused(/a\.txt/);
    });
    inSoak('is a deleted file, a staged one, a changed mode', async () => {
      rmSync(fixture.path('w/one/a.txt'));
      await expectRefused(/a\.txt/);
      fixture.git('w/one', 'checkout', 'a.txt');
      fixture.write('w/one/a.txt', 'staged\n');
      fixture.git('w/one', 'add', 'a.txt');
      await expectRefused(/a\.txt/);
      fixture.git('w/one', 'reset', '-q', '--hard');
      execFileSync('chmod', ['+x', fixture.path('w/one/a.txt')]);
      await expectRefused(/a\.txt/);
    });
    for (const mark of ['--assume-unchanged', '--skip-worktree']) {
      it(`is an edit hidden by ${mark}`, async () => {
        fixture.git('w/one', 'update-index', mark, 'a.txt');
        fixture.write('w/one/a.txt', 'hidden\n');
        await expectRefused(/a\.txt/);
      });
    }
    it('is an untracked file, also one with an odd name', async () => {
      fixture.write('w/one/new.txt', 'x');
      fixture.write('w/one/:(top)--x\n.txt', 'x');
      fixture.write('w/one/ü/ä.txt', 'x');
      await expectRefused(/^3 untracked files: :\(top\)--x\ufffd\.txt, new\.txt, ü\/ä\.txt$/);
    });
    it('is an ignored file that no tool regenerates', async () => {
      fixture.write('w/one/.env.local', 'MINE=1');
      fixture.write('w/one/secret/key.pem', 'x');
      await expectRefused(/^2 ignored files that nothing makes again: \.env\.local, secret\/key\.pem$/);
    });
    it('is a commit that exists nowhere else, here or on a detached HEAD', async () => {
      fixture.write('w/one/a.txt', 'work\n');
      fixture.commit('w/one', 'work');
      await expectRefused(/^1 commit on no remote/);
      fixture.git('w/one', 'checkout', '-q', '--detach');
      fixture.write('w/one/a.txt', 'more\n');
      fixture.commit('w/one', 'more');
      await expectRefused(/^2 commits on no remote/);
    });
    inTurn('is a stash of its branch', async () => {
      fixture.write('w/one/a.txt', 'work\n');
      fixture.git('w/one', 'stash', '-q');
      await expectRefused(/^1 stash made on its branch$/);
      fixture.git('w/one', 'stash', 'drop', '-q');
      fixture.write('r/a.txt', 'work\n');
      fixture.git('r', 'stash', '-q');
      expectGone(await removeWorktree(order), true);
    });
    inSoak('is a merge in progress', async () => {
      fixture.git('w/one', 'update-ref', 'MERGE_HEAD', 'HEAD');
      await expectRefused(/^a merge, rebase or cherry-pick is in progress/);
    });
    inSoak('is its own repository', async () => {
      mkdirSync(fixture.path('w/one/nested'));
      fixture.git('w/one/nested', 'init', '-q');
      await expectRefused(/^submodules or repositories of their own: nested$/);
    });
    inTurn('is a checked-out submodule', async () => {
      fixture.repository('lib');
      fixture.git('r', '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', fixture.path('lib'), 'lib');
      fixture.commit('r', 'with lib');
      fixture.git('r', 'push', '-q', 'origin', 'main');
      fixture.git('w/one', 'merge', '-q', '--ff-only', 'origin/main');
      expect((await facts()).repositories).to.deep.equal([]);
      fixture.git('w/one', '-c', 'protocol.file.allow=always', 'submodule', 'update', '-q', '--init');
      await expectRefused(/^submodules or repositories of their own: lib$/);
    });
    inSoak('is another repository behind its pointer', async () => {
      fixture.repository('other');
      fixture.write('w/one/.git', `gitdir: ${fixture.path('other/.git')}\n`);
      await expectRefused(/no longer points to this repository/);
    });
    it('is anything unreadable', async () => {
      fixture.write('r/.git/worktrees/one/HEAD', `${'0'.repeat(39)}1\n`);
      await expectRefused(/could not be read/);
    });
  });

  it('names all reasons together', async () => {
    fixture.commit('w/one', 'work');
    fixture.write('w/one/a.txt', 'x');
    fixture.write('w/one/n.txt', 'x');
    fixture.write('w/one/.env', 'x');
    const outcome = await removeWorktree(order);
    expect(outcome.removed === false && outcome.reasons).to.have.length(4);
  });

  it('never removes the main checkout nor a folder that is not a worktree', async () => {
    for (const force of [false, true]) {
      const main = await removeWorktree({ ...order, path: order.repository, force });
      expect(main.removed).to.equal(false);
      fixture.write('w/two/x.txt', 'x');
      expect((await removeWorktree({ ...order, path: fixture.path('w/two'), force })).removed).to.equal(false);
    }
    expect(existsSync(fixture.path('r/a.txt')) && existsSync(fixture.path('w/two/x.txt'))).to.equal(true);
  });

  inTurn('removes a pushed branch with its settings', async () => {
    fixture.write('w/one/a.txt', 'work\n');
    fixture.commit('w/one', 'work');
    fixture.git('w/one', 'push', '-q', '-u', 'origin', order.branch);
    expectGone(await removeWorktree(order), true);
    expect(() => fixture.git('r', 'config', `branch.${order.branch}.remote`)).to.throw();
  });

  inSoak('takes a branch away that was squashed into the base that was named', async () => {
    fixture.git('r', 'checkout', '-q', '-b', 'develop');
    fixture.write('w/one/a.txt', 'work\n');
    fixture.commit('w/one', 'work');
    fixture.git('r', 'merge', '-q', '--squash', order.branch);
    fixture.commit('r', 'squash');
    await expectRefused(/^1 commit/);
    expectGone(await removeWorktree({ ...order, base: 'develop' }), true);
  });

  describe('by force', () => {
    beforeEach(() => {
      order = { ...order, force: true };
    });

    it('keeps all files, the staged state and the commits', async () => {
      fixture.write('w/one/a.txt', 'committed\n');
      const head = fixture.commit('w/one', 'work');
      fixture.write('w/one/a.txt', 'staged\n');
      fixture.git('w/one', 'add', 'a.txt');
      fixture.write('w/one/a.txt', 'edited\n');
      rmSync(fixture.path('w/one/b.txt'));
      fixture.write('w/one/new/--x.txt', 'new\n', 0o755);
      expectGone(await removeWorktree(order), false);
      const show = (rev: string): string => fixture.git('r', 'show', rev);
      expect(show(`${kept}:a.txt`)).to.equal('edited');
      expect(show(`${kept}:new/--x.txt`)).to.equal('new');
      expect(fixture.git('r', 'ls-tree', '-r', '--format=%(objectmode) %(path)', kept))
        .to.contain('100755 new/--x.txt')
        .and.not.contain('b.txt');
      expect(show(`${kept}^2:a.txt`)).to.equal('staged');
      expect(fixture.git('r', 'rev-parse', `${kept}^1`)).to.equal(head);
      expect(fixture.git('r', 'rev-parse', order.branch)).to.equal(head);
    });

    inSoak('keeps what it kept before', async () => {
      fixture.write('w/one/new.txt', 'first\n');
      await removeWorktree(order);
      await addWorktree({ ...order, reason: 'muster agt_1' });
      fixture.write('w/one/new.txt', 'second\n');
      await removeWorktree(order);
      expect(fixture.git('r', 'show', `${kept}:new.txt`)).to.equal('second');
      expect(fixture.git('r', 'show', `${kept}^2:new.txt`)).to.equal('first');
    });

    inSoak('keeps the same once, however often it is asked', async () => {
      fixture.write('w/one/a.txt', 'staged\n');
      fixture.git('w/one', 'add', 'a.txt');
      fixture.write('w/one/a.txt', 'edited\n');
      const at = {
        workTree: order.path,
        gitDir: fixture.path('r/.git/worktrees/one'),
        commonDir: fixture.path('r/.git'),
      };
      await keepSnapshot(at, kept, 'present');
      const once = fixture.git('r', 'rev-parse', kept);
      await keepSnapshot(at, kept, 'present');
      expect(fixture.git('r', 'rev-parse', kept)).to.equal(once);
    });

    inTurn('keeps a conflict, with a merge in progress', async () => {
      fixture.write('r/a.txt', 'theirs\n');
      fixture.commit('r', 'theirs');
      fixture.write('w/one/a.txt', 'ours\n');
      fixture.commit('w/one', 'ours');
      expect(() => fixture.git('w/one', 'merge', 'main')).to.throw();
      expectGone(await removeWorktree(order), false);
      expect(fixture.git('r', 'show', `${kept}:a.txt`)).to.contain('<<<<<<<');
    });

    inSoak('keeps an embedded repository from failing the rest', async () => {
      mkdirSync(fixture.path('w/one/nested'));
      fixture.git('w/one/nested', 'init', '-q');
      fixture.write('w/one/nested/inner.txt', 'inner\n');
      fixture.write('w/one/new.txt', 'new\n');
      expectGone(await removeWorktree(order), true);
      expect(fixture.git('r', 'show', `${kept}:new.txt`)).to.equal('new');
      expect(fixture.git('r', 'show', `${kept}:nested/inner.txt`)).to.equal('inner');
    });

    inSoak('works with a broken and with a missing index', async () => {
      fixture.write('w/one/new.txt', 'new\n');
      fixture.write('r/.git/worktrees/one/index', 'garbage');
      expectGone(await removeWorktree(order), true);
      expect(fixture.git('r', 'show', `${kept}:new.txt`)).to.equal('new');
    });
  });

  describe('completes an interruption', () => {
    it('before the note was removed, before the folder was deleted, before the branch was', async () => {
      renameSync(order.path, `${order.path}.muster-removed-${statSync(order.path).ino}-0123abcd`);
      expectGone(await removeWorktree(order), true);
    });
    inTurn('between the branch and muster’s mark', async () => {
      fixture.git('r', 'worktree', 'remove', '-f', '-f', order.path);
      fixture.git('r', 'update-ref', '-d', `refs/heads/${order.branch}`);
      expectGone(await removeWorktree(order), true);
      expect(refs()).to.not.contain('muster');
    });
    inSoak('if somebody removed the worktree by hand', async () => {
      fixture.git('r', 'worktree', 'remove', '-f', '-f', order.path);
      expectGone(await removeWorktree(order), true);
    });
    it('but keeps commits that only a missing folder’s note holds', async () => {
      fixture.git('w/one', 'checkout', '-q', '--detach');
      const lost = fixture.commit('w/one', 'detached');
      rmSync(order.path, { recursive: true });
      expect((await removeWorktree(order)).removed).to.equal(false);
      expectGone(await removeWorktree({ ...order, force: true }), true);
      expect(fixture.git('r', 'rev-parse', `${kept}^`)).to.equal(lost);
    });
  });

  inTurn('keeps a branch that it did not create, and one that is checked out elsewhere', async () => {
    fixture.git('r', 'worktree', 'add', '-q', '-b', 'theirs', fixture.path('w/theirs'));
    const theirs = { ...order, path: fixture.path('w/theirs'), branch: 'theirs' };
    expect(await removeWorktree(theirs)).to.deep.equal({ removed: true, branchDeleted: false });
    fixture.git('w/one', 'checkout', '-q', '--detach');
    fixture.git('r', 'checkout', '-q', order.branch);
    expect(await removeWorktree(order)).to.deep.equal({ removed: true, branchDeleted: false });
    expect(fixture.git('r', 'branch', '--list', 'theirs', order.branch).split('\n')).to.have.length(2);
  });

  inSoak('takes the folder of a vanished repository only by force', async () => {
    rmSync(fixture.path('r'), { recursive: true });
    expect((await removeWorktree(order)).removed).to.equal(false);
    expect((await removeWorktree({ ...order, path: fixture.home, force: true })).removed).to.equal(false);
    expect(existsSync(order.path) && existsSync(fixture.home)).to.equal(true);
    expect(await removeWorktree({ ...order, force: true })).to.deep.equal({ removed: true, branchDeleted: false });
    expect(existsSync(order.path)).to.equal(false);
  });
}).timeout(60_000);
