import { existsSync, lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { type CheckoutFolder, findGitDirectory } from '#world/git/repository/git-directory.ts';
import { takeChanges } from '#world/git/worktree/carry-changes.ts';
import { carryCheckout } from '#world/git/worktree/carry-checkout.ts';
import { leftBehind } from '#world/git/worktree/left-behind.ts';
import { addWorktree, type Worktree } from '#world/git/worktree/worktree.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import { GitFixture } from '../git-fixture.ts';

describe('the difference between a checkout and a new worktree', () => {
  let fixture: GitFixture;
  beforeEach(() => {
    fixture = new GitFixture();
    fixture.repository('r', {
      'a.txt': 'one\n',
      'b.txt': 'two\n',
      'sub/c.txt': 'three\n',
      '.gitignore': 'dist/\n.env\n',
    });
  });
  afterEach(() => fixture.dispose());

  const checkout = async (): Promise<CheckoutFolder> => {
    const at = await findGitDirectory(fixture.path('r'));
    if (at?.workTree === undefined) throw new Error('there is no checkout');
    return { ...at, workTree: at.workTree };
  };

  /** Changes of every kind. */
  function change(): void {
    fixture.write('r/a.txt', 'changed\n');
    fixture.write('r/staged.txt', 'staged\n');
    fixture.git('r', 'add', 'staged.txt');
    rmSync(fixture.path('r/b.txt'));
    for (const name of ['u1', 'u2', 'u3', 'deep/u4']) fixture.write(`r/${name}`, `${name}\n`);
    fixture.write('r/.env', 'secret\n');
    fixture.write('r/dist/out.js', 'x');
  }

  /** A worktree with the changes of the checkout. */
  async function carried(): Promise<Worktree> {
    const repository = fixture.path('r');
    const changes = await takeChanges(await checkout());
    const order = { repository, path: fixture.path('w/one'), branch: 'muster/one', reason: 'muster agt_1' };
    const worktree = await addWorktree({ ...order, base: changes.headSha });
    await carryCheckout(await checkout(), worktree, changes, { worktrees: fixture.path('w') });
    return worktree;
  }

  describe('is reported', () => {
    it('by kind, counted, with the first names', async () => {
      change();
      fixture.repository('lib', { 'l.txt': 'l\n' });
      fixture.git('r', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', fixture.path('lib'), 'lib');
      fixture.git('r', 'commit', '-qm', 'lib', 'lib', '.gitmodules');
      const status = fixture.git('r', 'status', '--porcelain');
      expect(await leftBehind(fixture.path('r/sub'), 60_000)).to.deep.equal({
        changed: { count: 2, names: ['a.txt', 'b.txt'] },
        untracked: { count: 5, names: ['deep/u4', 'staged.txt', 'u1'] },
        ignored: { count: 2, names: ['.env', 'dist/'] },
        submodules: { count: 1, names: ['lib'] },
      });
      expect(fixture.git('r', 'status', '--porcelain')).to.equal(status);
    });

    it('as empty for a clean checkout, and not at all outside a checkout', async () => {
      const none = { count: 0, names: [] };
      const nothing = { changed: none, untracked: none, ignored: none, submodules: none };
      expect(await leftBehind(fixture.path('r'), 60_000)).to.deep.equal(nothing);
      expect(await leftBehind(fixture.home, 60_000)).to.equal(undefined);
    });
  });

  describe('can be copied', () => {
    it('from the commit that is checked out: changed, deleted, untracked and ignored files', async () => {
      fixture.git('r', 'switch', '-qc', 'feature');
      const head = fixture.commit('r', 'of the feature');
      change();
      const before = fixture.git('r', 'status', '--porcelain');
      expect((await carried()).baseSha).to.equal(head);
      expect(readFileSync(fixture.path('w/one/a.txt'), 'utf8')).to.equal('changed\n');
      expect(readFileSync(fixture.path('w/one/deep/u4'), 'utf8')).to.equal('deep/u4\n');
      expect(existsSync(fixture.path('w/one/b.txt'))).to.equal(false);
      expect(readFileSync(fixture.path('w/one/.env'), 'utf8')).to.equal('secret\n');
      expect(readFileSync(fixture.path('w/one/dist/out.js'), 'utf8')).to.equal('x');
      const lines = fixture.git('w/one', 'status', '--porcelain').trim().split('\n');
      expect(lines.map((line) => line.trim())).to.have.members([
        'M a.txt',
        'D b.txt',
        ...['deep/', 'staged.txt', 'u1', 'u2', 'u3'].map((path) => `?? ${path}`),
      ]);
      expect(fixture.git('r', 'status', '--porcelain')).to.equal(before);
    });

    it('byte for byte, with any attributes and line ends, with modes and links', async () => {
      fixture.write('r/.gitattributes', '*.u16 working-tree-encoding=UTF-16LE\n*.id ident\n*.lfs filter=lfs\n');
      fixture.git('r', 'add', '.gitattributes');
      fixture.git('r', 'commit', '-qm', 'attributes');
      const files = {
        'x.u16': Buffer.from('grüße\n', 'utf16le'),
        'x.id': Buffer.from('$Id: mine $\n'),
        'x.lfs': Buffer.from([0, 1, 2, 255]),
        'crlf.txt': Buffer.from('a\r\nb\r\n'),
      };
      for (const [name, content] of Object.entries(files)) fixture.write(`r/${name}`, content);
      symlinkSync('/etc/hostname', fixture.path('r/link'));
      await carried();
      for (const [name, content] of Object.entries(files))
        expect(readFileSync(fixture.path('w/one', name)).equals(content), name).to.equal(true);
      expect(readlinkSync(fixture.path('w/one/link'))).to.equal('/etc/hostname');
    });

    it('again after a crash, and never through a link out of the worktree', async () => {
      change();
      const worktree = await carried();
      rmSync(fixture.path('w/one/deep'), { recursive: true });
      symlinkSync(fixture.home, fixture.path('w/one/deep'));
      const from = await checkout();
      await carryCheckout(from, worktree, await takeChanges(from), { worktrees: fixture.path('w') });
      expect(lstatSync(fixture.path('w/one/deep')).isDirectory()).to.equal(true);
      expect(existsSync(`${fixture.home}/u4`)).to.equal(false);
    });

    it('not from a repository without a commit', async () => {
      rmSync(fixture.path('r'), { recursive: true });
      fixture.git('.', 'init', '-q', 'r');
      const failure = await failureOf(async () => takeChanges(await checkout()));
      expect(failure.reason).to.equal('REPOSITORY_EMPTY');
    });

    it('so that another branch’s commits do not count as work in the worktree', async () => {
      fixture.git('r', 'switch', '-qc', 'feature');
      fixture.commit('r', 'of the feature');
      const { path, branch } = await carried();
      const inspection = await inspectWorktree({ repository: fixture.path('r'), path, branch });
      expect(inspection).to.have.nested.property('facts.unheldCommits', 0);
      fixture.commit('w/one', 'of the agent');
      const after = await inspectWorktree({ repository: fixture.path('r'), path, branch });
      expect(after).to.have.nested.property('facts.unheldCommits', 1);
    });
  });
});
