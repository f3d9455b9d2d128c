import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { inSoak } from '#test/support/soak.ts';
import { readCheckout } from '#world/git/checkout/checkout.ts';
import { addWorktree, type WorktreeOptions } from '#world/git/worktree/worktree.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import { GitFixture } from '../git-fixture.ts';

describe('git/worktree', () => {
  let fixture: GitFixture;
  let order: WorktreeOptions;
  beforeEach(() => {
    fixture = new GitFixture();
    fixture.repository('r', { 'a.txt': 'one\n', 'sub/b.txt': 'two\n', 'run.sh': '#!/bin/sh\n' });
    order = {
      repository: fixture.path('r'),
      path: fixture.path('w/one'),
      branch: 'muster/one-agt_1',
      reason: 'muster agt_1',
    };
  });
  afterEach(() => fixture.dispose());

  function expectWhole(base: string): void {
    expect(fixture.git('w/one', 'status', '--porcelain')).to.equal('');
    expect(fixture.git('w/one', 'symbolic-ref', 'HEAD')).to.equal('refs/heads/muster/one-agt_1');
    expect(fixture.git('w/one', 'rev-parse', 'HEAD')).to.equal(base);
    expect(readFileSync(fixture.path('w/one/sub/b.txt'), 'utf8')).to.equal('two\n');
    expect(fixture.git('r', 'worktree', 'list', '--porcelain')).to.contain('locked muster agt_1');
    expect(readdirSync(fixture.path('r/.git/worktrees'))).to.have.length(1);
  }

  it('creates a locked worktree on a new branch, and adopts it when repeated', async () => {
    const head = fixture.git('r', 'rev-parse', 'HEAD');
    const made = await addWorktree(order);
    expect(made).to.deep.equal({ path: order.path, branch: order.branch, baseSha: head });
    expectWhole(head);
    fixture.write('w/one/a.txt', 'changed by the agent\n');
    fixture.git('w/one', 'commit', '-qam', 'work');
    fixture.write('w/one/new.txt', 'more');
    expect(await addWorktree(order)).to.deep.equal(made);
    expect(readFileSync(fixture.path('w/one/new.txt'), 'utf8')).to.equal('more');
    expect(fixture.git('w/one', 'log', '--format=%s')).to.equal('work\nfirst');
  });

  it('does not follow a remote branch, and uses an empty folder', async () => {
    fixture.publish('r');
    mkdirSync(order.path, { recursive: true });
    await addWorktree({ ...order, base: 'origin/main' });
    expect(() => fixture.git('w/one', 'rev-parse', '--abbrev-ref', '@{upstream}')).to.throw();
  });

  it('starts from the given base, else origin/HEAD, origin/main, origin/master, HEAD', async () => {
    const first = fixture.git('r', 'rev-parse', 'HEAD');
    fixture.publish('r');
    const second = fixture.commit('r', 'second');
    const baseOf = async (name: string, base?: string): Promise<string> => {
      const one = { ...order, path: fixture.path('w', name), branch: `muster/${name}`, reason: name };
      return (await addWorktree(base === undefined ? one : { ...one, base })).baseSha;
    };
    expect(await baseOf('origin-head')).to.equal(first);
    expect(await baseOf('named', 'main')).to.equal(second);
    expect(await baseOf('sha', second)).to.equal(second);
    fixture.git('r', 'remote', 'set-head', 'origin', '--delete');
    expect(await baseOf('origin-main')).to.equal(first);
    fixture.git('r', 'update-ref', 'refs/remotes/origin/master', first);
    fixture.git('r', 'update-ref', '-d', 'refs/remotes/origin/main');
    expect(await baseOf('origin-master')).to.equal(first);
    fixture.git('r', 'update-ref', 'refs/remotes/origin/only-there', first);
    expect(await baseOf('only-there', 'only-there')).to.equal(first);
    fixture.git('r', 'remote', 'remove', 'origin');
    expect(await baseOf('head')).to.equal(second);
  });

  it('uses the HEAD of the named checkout, also of a linked one', async () => {
    fixture.git('r', 'worktree', 'add', '-q', '-b', 'other', '../other');
    const head = fixture.commit('other', 'elsewhere');
    expect((await addWorktree({ ...order, repository: fixture.path('other/sub') })).baseSha).to.equal(head);
  });

  inSoak('knows a worktree whose pointers are relative, as newer gits write them', async () => {
    const made = await addWorktree(order);
    fixture.write('w/one/.git', 'gitdir: ../../r/.git/worktrees/one\n');
    fixture.write('r/.git/worktrees/one/gitdir', '../../../../w/one/.git\n');
    expect(await addWorktree(order)).to.deep.equal(made);
    expect((await inspectWorktree(order)).state).to.equal('present');
    expect((await readCheckout(order.path))?.branch).to.equal(order.branch);
  });

  inSoak('keeps sparse checkouts sparse', async () => {
    fixture.git('r', 'sparse-checkout', 'set', '--cone', 'sub');
    await addWorktree(order);
    expect(existsSync(fixture.path('w/one/sub/b.txt'))).to.equal(true);
    fixture.write('r/deep/er/c.txt', 'x');
    fixture.git('r', 'add', '--sparse', '-A');
    fixture.git('r', 'commit', '-qm', 'deep');
    await addWorktree({ ...order, path: fixture.path('w/two'), branch: 'muster/two', reason: 'two' });
    expect(existsSync(fixture.path('w/two/deep'))).to.equal(false);
    expect(fixture.git('w/two', 'status', '--porcelain')).to.equal('');
  });

  inSoak('makes twelve at once in one repository', async () => {
    const orders = Array.from({ length: 12 }, (_, index) => ({
      ...order,
      path: fixture.path('w', String(index)),
      branch: `muster/n-${index}`,
      reason: `muster ${index}`,
    }));
    const made = await Promise.all(orders.map(addWorktree));
    expect(new Set(made.map((one) => one.path)).size).to.equal(12);
    for (const one of made)
      expect(fixture.git(join('w', one.path.slice(fixture.path('w').length + 1)), 'status', '--porcelain')).to.equal(
        '',
      );
  });

  describe('refuses', () => {
    const nothingMade = (): void => {
      expect(fixture.git('r', 'for-each-ref', 'refs/heads/muster', 'refs/muster')).to.equal('');
      expect(existsSync(fixture.path('r/.git/worktrees'))).to.equal(false);
    };

    it('a folder that is not a repository, and one without a commit', async () => {
      const none = await failureOf(() => addWorktree({ ...order, repository: fixture.path('home') }));
      expect(none.code).to.equal('failed_precondition');
      expect(none.message).to.contain(fixture.path('home')).and.to.contain('not in a git repository');
      mkdirSync(fixture.path('empty'));
      fixture.git('empty', 'init', '-q');
      const empty = await failureOf(() => addWorktree({ ...order, repository: fixture.path('empty') }));
      expect(empty.code).to.equal('failed_precondition');
      expect(empty.message).to.contain('no commit yet');
    });

    it('a missing or invalid base', async () => {
      const missing = await failureOf(() => addWorktree({ ...order, base: 'nowhere' }));
      expect(missing.code).to.equal('failed_precondition');
      expect(missing.message).to.contain('"nowhere"');
      for (const base of ['--output=/tmp/x', '-f', 'a..b', 'HEAD@{1}', ':/first', 'main^{/x}', 'a b', '']) {
        expect((await failureOf(() => addWorktree({ ...order, base }))).code, base).to.equal('invalid_argument');
      }
      nothingMade();
    });

    it('an invalid branch name', async () => {
      for (const branch of ['-f', 'a..b', 'x.lock', 'x/', '/x', 'x//y', 'a/.b', 'HEAD', '@', 'a b', 'x~1', '']) {
        expect((await failureOf(() => addWorktree({ ...order, branch }))).code, branch).to.equal('invalid_argument');
      }
    });

    it('a path that is not empty, and leaves it alone', async () => {
      fixture.write('w/one/mine.txt', 'mine');
      expect((await failureOf(() => addWorktree(order))).code).to.equal('already_exists');
      fixture.write('w/file', 'mine');
      expect((await failureOf(() => addWorktree({ ...order, path: fixture.path('w/file') }))).code).to.equal(
        'already_exists',
      );
      expect(readdirSync(order.path)).to.deep.equal(['mine.txt']);
      nothingMade();
    });

    it('another’s branch, and leaves it alone', async () => {
      fixture.git('r', 'branch', order.branch);
      const error = await failureOf(() => addWorktree(order));
      expect(error.code).to.equal('already_exists');
      expect(error.message).to.contain(order.branch);
      expect(fixture.git('r', 'branch', '--list', order.branch)).to.contain(order.branch);
      expect(existsSync(order.path)).to.equal(false);
      expect(fixture.git('r', 'for-each-ref', 'refs/muster')).to.equal('');
    });

    it('a branch whose name is a folder of branches', async () => {
      fixture.git('r', 'branch', 'muster/one-agt_1/deeper');
      expect((await failureOf(() => addWorktree(order))).code).to.equal('already_exists');
      expect(fixture.git('r', 'for-each-ref', 'refs/muster')).to.equal('');
    });

    it('another’s worktree', async () => {
      fixture.git('r', 'worktree', 'add', '-q', '-b', 'theirs', order.path);
      fixture.write('w/one/work.txt', 'work');
      expect((await failureOf(() => addWorktree(order))).code).to.equal('already_exists');
      expect(existsSync(fixture.path('w/one/work.txt'))).to.equal(true);
      await addWorktree({ ...order, path: fixture.path('w/two') });
      const other = { ...order, path: fixture.path('w/two'), branch: 'muster/other' };
      expect((await failureOf(() => addWorktree(other))).code).to.equal('already_exists');
    });

    inSoak('a half-made worktree of somebody else', async () => {
      fixture.git(
        'r',
        'worktree',
        'add',
        '-q',
        '--no-checkout',
        '--lock',
        '--reason',
        'theirs',
        '-b',
        'theirs',
        order.path,
      );
      fixture.write('w/one/work.txt', 'work');
      expect((await failureOf(() => addWorktree(order))).code).to.equal('already_exists');
      expect(existsSync(fixture.path('w/one/work.txt'))).to.equal(true);
    });

    it('a commit with missing files, and undoes everything', async () => {
      const blob = fixture.git('r', 'rev-parse', 'HEAD:sub/b.txt');
      rmSync(fixture.path('r/.git/objects', blob.slice(0, 2), blob.slice(2)));
      const error = await failureOf(() => addWorktree(order));
      expect(error.code).to.equal('failed_precondition');
      expect(error.message).to.contain('objects are missing');
      expect(existsSync(order.path)).to.equal(false);
      expect(fixture.git('r', 'for-each-ref', 'refs/heads/muster', 'refs/muster')).to.equal('');
      expect(readdirSync(fixture.path('r/.git/worktrees'))).to.deep.equal([]);
    });

    it('an impossible folder, and removes the branch', async () => {
      fixture.write('w', 'a file in the way');
      const error = await failureOf(() => addWorktree(order));
      expect(error.code).to.equal('failed_precondition');
      expect(error.message).to.contain(order.path);
      nothingMade();
    });
  });
}).timeout(60_000);
