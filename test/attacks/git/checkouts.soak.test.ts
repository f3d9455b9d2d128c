import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { someOf } from '#test/support/some-of.ts';
import { GitFixture } from '#test/world/git-fixture.ts';
import { readCheckout } from '#world/git/checkout/checkout.ts';
import { type CheckoutFolder, findGitDirectory } from '#world/git/repository/git-directory.ts';
import { cutRound } from '#world/git/review/round.ts';
import { viewWorktree } from '#world/git/review/worktree-view.ts';
import { keepSnapshot } from '#world/git/worktree/kept-snapshot.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';

const long = new Date('2020-01-01T00:00:00Z');

describe('an attack with the files of a checkout', function () {
  this.timeout(240_000);
  let fixture: GitFixture;
  let repository: string;
  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository('r', { 'a.txt': 'one\n', 'b.txt': 'two\n', 'sub/c.txt': 'three\n' });
    fixture.publish('r');
  });
  afterEach(() => fixture.dispose());

  const orderOf = (name: string) => ({
    repository,
    path: fixture.path('w', name),
    branch: `muster/${name}`,
    reason: `muster ${name}`,
  });
  async function worktree(name: string): Promise<CheckoutFolder> {
    await addWorktree(orderOf(name));
    const at = await findGitDirectory(fixture.path('w', name));
    if (at?.workTree === undefined) throw new Error('no worktree was made');
    return { ...at, workTree: at.workTree };
  }
  const git = (at: CheckoutFolder, ...args: string[]) =>
    execFileSync('git', args, { cwd: at.workTree, env: { ...process.env, HOME: fixture.home }, encoding: 'utf8' });
  const treeOf = (at: CheckoutFolder) =>
    viewWorktree(at, { objects: 'discard', hashing: 'changed' }, async ({ treeSha }) => treeSha);
  const round = (at: CheckoutFolder, n = 1) => cutRound(at, { ref: `refs/muster/rounds/agt_1/${n}`, settled: false });

  /** Writes a file covertly: with the same length and the previous time. */
  function rewrite(at: CheckoutFolder, content: string): void {
    writeFileSync(join(at.workTree, 'a.txt'), content);
    utimesSync(join(at.workTree, 'a.txt'), long, long);
  }

  /** Has the index say that the file is as it was committed, with the stat data that it has now. */
  function forgeIndex(at: CheckoutFolder): void {
    const was = git(at, 'rev-parse', 'HEAD:a.txt').trim();
    git(at, 'add', 'a.txt');
    const is = git(at, 'rev-parse', ':a.txt').trim();
    const index = readFileSync(join(at.gitDir, 'index'));
    Buffer.from(was, 'hex').copy(index, index.indexOf(Buffer.from(is, 'hex')));
    createHash('sha1')
      .update(index.subarray(0, -20))
      .digest()
      .copy(index, index.length - 20);
    writeFileSync(join(at.gitDir, 'index'), index);
  }

  const hidings: Readonly<Record<string, (at: CheckoutFolder) => void>> = {
    'forged stat data': (at) => {
      rewrite(at, 'ONE\n');
      forgeIndex(at);
      expect(git(at, 'status', '--porcelain'), 'git itself is fooled').to.equal('');
    },
    'assume-unchanged': (at) => {
      git(at, 'update-index', '--assume-unchanged', 'a.txt');
      rewrite(at, 'ONE\n');
    },
    'skip-worktree': (at) => {
      git(at, 'update-index', '--skip-worktree', 'a.txt');
      rewrite(at, 'ONE\n');
    },
    'a file monitor that has seen nothing': (at) => {
      git(at, 'config', 'core.fsmonitor', '/bin/true');
      git(at, 'update-index', '--fsmonitor');
      git(at, 'update-index', '--fsmonitor-valid', 'a.txt');
      rewrite(at, 'ONE\n');
    },
    'settings that trust no time': (at) => {
      for (const [key, value] of [
        ['core.trustctime', 'false'],
        ['core.checkStat', 'minimal'],
        ['core.ignoreStat', 'true'],
      ] as const) {
        git(at, 'config', key, value);
      }
      rewrite(at, 'one\n');
      git(at, 'update-index', '--refresh');
      rewrite(at, 'ONE\n');
    },
  };

  for (const [how, hide] of someOf(Object.entries(hidings), 1, 6)) {
    it(`an edit is not hidden by ${how}`, async () => {
      const at = await worktree('one');
      const before = await treeOf(at);
      hide(at);
      expect(await treeOf(at), 'the standing').to.not.equal(before);
      const { snapshotSha, changedFiles } = await round(at);
      expect(git(at, 'show', `${snapshotSha}:a.txt`), 'the round').to.equal('ONE\n');
      expect(changedFiles).to.equal(1);
      const found = await inspectWorktree(orderOf('one'));
      expect(found, 'what would be lost').nested.property('facts.changed').deep.equal(['a.txt']);
      const removal = await removeWorktree({ ...orderOf('one'), agentId: 'agt_1', force: false });
      expect(removal.removed).to.equal(false);
      await keepSnapshot(at, 'refs/muster/kept/agt_1', 'present');
      expect(git(at, 'show', 'refs/muster/kept/agt_1:a.txt'), 'what is kept').to.equal('ONE\n');
    });
  }

  it('a deletion is not hidden by skip-worktree', async () => {
    const at = await worktree('one');
    git(at, 'update-index', '--skip-worktree', 'a.txt');
    unlinkSync(join(at.workTree, 'a.txt'));
    const { snapshotSha } = await round(at);
    expect(git(at, 'ls-tree', '--name-only', snapshotSha)).to.not.contain('a.txt');
  });

  it('an index with false objects for missing files does not change a round', async () => {
    const at = await worktree('one');
    const forged = git(at, 'hash-object', '-w', 'b.txt').trim();
    git(at, 'update-index', '--cacheinfo', `100644,${forged},a.txt`);
    const { snapshotSha } = await round(at);
    expect(git(at, 'show', `${snapshotSha}:a.txt`)).to.equal('one\n');
    expect(await inspectWorktree(orderOf('one')))
      .nested.property('facts.changed')
      .deep.equal(['a.txt']);
  });

  it('an edit of the same length with its time set back is detected, however soon after a reading', async () => {
    const at = await worktree('one');
    const trees = new Set<string>();
    for (const content of ['one\n', 'ONE\n', 'two\n', 'TWO\n', 'six\n']) {
      rewrite(at, content);
      trees.add(await treeOf(at));
    }
    expect(trees.size).to.equal(5);
  });

  const oddities: Readonly<Record<string, (path: string) => unknown>> = {
    'a named pipe': (path) => execFileSync('mkfifo', [path]),
    'a link to a named pipe': (path) => {
      execFileSync('mkfifo', [`${path}.pipe`]);
      symlinkSync(`${path}.pipe`, path);
    },
    'a folder': (path) => mkdirSync(path),
    'a link to a device': (path) => symlinkSync('/dev/zero', path),
    'a file of more than 10 MiB': (path) => writeFileSync(path, Buffer.alloc(10 * 1024 * 1024 + 1, '\n')),
  };
  for (const [what, plant] of someOf(Object.entries(oddities))) {
    it(`${what} in place of a list is refused and named`, async () => {
      const at = await worktree('one');
      for (const name of ['sub/.gitignore', 'sub/.gitattributes', '.gitmodules']) {
        plant(join(at.workTree, name));
        const failures = await Promise.all([failureOf(() => round(at)), failureOf(() => treeOf(at))]);
        for (const failure of failures) {
          expect(failure.code).to.equal('failed_precondition');
          expect(failure.message).to.contain(`${name} is ${what}, and git reads files of that name`);
        }
        expect((await failureOf(() => inspectWorktree(orderOf('one')))).message).to.contain(name);
        rmSync(join(at.workTree, name), { recursive: true });
        rmSync(join(at.workTree, `${name}.pipe`), { force: true });
      }
      await round(at);
    });
  }

  it('a socket in place of a list is refused', async () => {
    const at = await worktree('one');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(at.workTree, '.gitignore'), resolve));
    expect((await failureOf(() => round(at))).message).to.contain('.gitignore is a socket');
    await new Promise((resolve) => server.close(resolve));
  });

  it('a pipe that git does not open is left alone', async () => {
    const at = await worktree('one');
    mkdirSync(join(at.workTree, 'ignored/deep'), { recursive: true });
    mkdirSync(join(at.workTree, 'inner'));
    writeFileSync(join(at.workTree, '.gitignore'), 'ignored\n');
    execFileSync('git', ['init', '-q'], { cwd: join(at.workTree, 'inner') });
    for (const folder of ['ignored', 'ignored/deep', 'inner']) {
      execFileSync('mkfifo', [join(at.workTree, folder, '.gitignore')]);
    }
    await round(at);
  });

  it('a pipe in the git directory blocks no reader', async () => {
    const at = await worktree('one');
    for (const [folder, name] of [
      [at.commonDir, 'info/exclude'],
      [at.commonDir, 'info/attributes'],
      [at.gitDir, 'index'],
      [at.gitDir, `sharedindex.${'0'.repeat(40)}`],
      [at.gitDir, 'MERGE_HEAD'],
      [at.gitDir, 'config.worktree'],
    ] as const) {
      rmSync(join(folder, name), { force: true });
      mkdirSync(join(folder, 'info'), { recursive: true });
      execFileSync('mkfifo', [join(folder, name)]);
      expect((await failureOf(() => treeOf(at))).message).to.contain(name);
      await readCheckout(at.workTree);
      unlinkSync(join(folder, name));
    }
  });

  const linkings: Readonly<Record<string, (at: CheckoutFolder, evil: string) => void>> = {
    'a pointer': (at, evil) => writeFileSync(join(at.workTree, 'inner/.git'), `gitdir: ${evil}\n`),
    'a link': (at, evil) => symlinkSync(evil, join(at.workTree, 'inner/.git')),
    'a pointer below a .git that is no repository': (at, evil) => {
      writeFileSync(join(at.workTree, 'inner/.git'), 'nothing\n');
      mkdirSync(join(at.workTree, 'inner/deep'));
      writeFileSync(join(at.workTree, 'inner/deep/.git'), `gitdir: ${evil}\n`);
    },
  };
  for (const [how, point] of someOf(Object.entries(linkings), 0, 6)) {
    it(`a pipe in a repository that ${how} leads to is refused and named`, async () => {
      const at = await worktree('one');
      mkdirSync(join(at.workTree, 'inner'));
      const evil = fixture.path('evil');
      point(at, evil);
      execFileSync('git', ['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`], {
        cwd: at.workTree,
      });
      for (const name of ['HEAD', 'commondir', 'packed-refs', 'refs/heads/main']) {
        rmSync(evil, { recursive: true, force: true });
        execFileSync('git', ['init', '-q', '--bare', '-b', 'main', evil]);
        rmSync(join(evil, name), { force: true });
        execFileSync('mkfifo', [join(evil, name)]);
        for (const look of [() => round(at), () => treeOf(at), () => inspectWorktree(orderOf('one'))]) {
          const failure = await failureOf(look);
          expect(failure.code).to.equal('failed_precondition');
          expect(failure.message)
            .to.match(/inner\S*\/\.git is a repository in which/)
            .and.to.contain(`${name} is a named pipe`);
        }
        const removal = await removeWorktree({ ...orderOf('one'), agentId: 'agt_1', force: true });
        expect(removal)
          .property('reasons')
          .to.match(/it could not be read: inner/);
      }
    });
  }

  it('a link to a pipe in place of HEAD is named', async () => {
    const at = await worktree('one');
    execFileSync('mkfifo', [fixture.path('pipe')]);
    symlinkSync(fixture.path('pipe'), join(at.gitDir, 'MERGE_HEAD'));
    expect((await failureOf(() => round(at))).message).to.contain('MERGE_HEAD is a named pipe');
  });

  it('no observation of a worktree waits for another one', async () => {
    const release = Promise.withResolvers<void>();
    const begun: Promise<unknown>[] = [];
    const held: Promise<unknown>[] = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      const at = await worktree(name);
      const start = Promise.withResolvers<void>();
      begun.push(start.promise);
      const use = async () => {
        start.resolve();
        await release.promise;
      };
      held.push(viewWorktree(at, { objects: 'discard', hashing: 'changed' }, use));
    }
    await Promise.all(begun);
    await round(await worktree('five'));
    release.resolve();
    await Promise.all(held);
  });
});
