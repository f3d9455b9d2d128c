import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { expect } from 'chai';
import { type CheckoutFolder, findGitDirectory } from '#world/git/repository/git-directory.ts';
import { takeChanges } from '#world/git/worktree/carry-changes.ts';
import { carryCheckout } from '#world/git/worktree/carry-checkout.ts';
import { leftByChanges } from '#world/git/worktree/left-behind.ts';
import { addWorktree, type Worktree } from '#world/git/worktree/worktree.ts';
import { inspectWorktree, reasonsAgainstRemoval } from '#world/git/worktree/worktree-inspection.ts';
import { GitFixture } from '../git-fixture.ts';
import { Traps } from './traps.ts';

const allowed = ['-c', 'protocol.file.allow=always'];

describe('a worktree with the rest of a checkout', () => {
  let fixture: GitFixture;
  let own: { readonly worktrees: string };
  beforeEach(() => {
    fixture = new GitFixture();
    own = { worktrees: fixture.path('w') };
  });
  afterEach(() => fixture.dispose());

  const checkout = async (): Promise<CheckoutFolder> => {
    const at = await findGitDirectory(fixture.path('r'));
    if (at?.workTree === undefined) throw new Error('there is no checkout');
    return { ...at, workTree: at.workTree };
  };

  async function carried(): Promise<Worktree> {
    const from = await checkout();
    const changes = await takeChanges(from);
    const order = {
      repository: fixture.path('r'),
      path: fixture.path('w/one'),
      branch: 'muster/one',
      reason: 'muster agt_1',
    };
    const worktree = await addWorktree({ ...order, base: changes.headSha });
    await carryCheckout(from, worktree, changes, own);
    return worktree;
  }

  const text = (path: string): string => readFileSync(fixture.path(path), 'utf8');
  const left = async () => (await leftByChanges(fixture.path('r'), own, 60_000))?.notCopied;

  describe('has its ignored files', () => {
    beforeEach(() => {
      fixture.repository('r', { 'a.txt': 'one\n', '.gitignore': '.env\nlocal/\n*.bin\n' });
    });

    it('with mode, time and links, and overwrites nothing', async () => {
      fixture.write('r/.env', 'secret\n', 0o600);
      fixture.write('r/local/deep/tool', 'run', 0o755);
      utimesSync(fixture.path('r/local/deep/tool'), 1_000, 1_000);
      symlinkSync('/etc/hostname', fixture.path('r/local/link'));
      fixture.git('.', 'init', '-q', 'r/local/repository');
      await carried();
      expect(text('w/one/.env')).to.equal('secret\n');
      expect(statSync(fixture.path('w/one/.env')).mode & 0o777).to.equal(0o600);
      expect(statSync(fixture.path('w/one/local/deep/tool'))).to.deep.include({ mode: 0o100755, mtimeMs: 1_000_000 });
      expect(readlinkSync(fixture.path('w/one/local/link'))).to.equal('/etc/hostname');
      expect(existsSync(fixture.path('w/one/local/repository'))).to.equal(false);
      expect(await left()).to.deep.equal([{ path: 'local/repository/', reason: 'repository' }]);
      fixture.write('w/one/.env', 'own\n');
      await carried();
      expect(text('w/one/.env')).to.equal('own\n');
    });

    it('except those that are too large, which are named with their size', async () => {
      fixture.write('r/huge.bin', '');
      truncateSync(fixture.path('r/huge.bin'), 200_000_001);
      fixture.write('r/half.bin', '');
      truncateSync(fixture.path('r/half.bin'), 199_999_999);
      fixture.write('r/local/.env', 'LOCAL=1\n');
      fixture.write('r/local/more', '1');
      expect(await left()).to.deep.equal([
        { path: 'huge.bin', reason: 'large', bytes: 200_000_001 },
        { path: 'half.bin', reason: 'large', bytes: 199_999_999 },
      ]);
      await carried();
      expect(text('w/one/local/.env')).to.equal('LOCAL=1\n');
      for (const name of ['huge.bin', 'half.bin'])
        expect(existsSync(fixture.path('w/one', name)), name).to.equal(false);
    });

    it('never through a link out of the checkout, nor muster’s own worktrees', async () => {
      fixture.write('r/local/x', 'x');
      const worktree = await carried();
      rmSync(fixture.path('w/one/local'), { recursive: true });
      symlinkSync(fixture.home, fixture.path('w/one/local'));
      await carryCheckout(await checkout(), worktree, await takeChanges(await checkout()), own);
      expect(existsSync(fixture.path('home/x'))).to.equal(false);
      rmSync(fixture.path('w/one/local'));
      own = { worktrees: fixture.path('r/local/worktrees') };
      mkdirSync(own.worktrees);
      await carryCheckout(await checkout(), worktree, await takeChanges(await checkout()), own);
      expect(existsSync(fixture.path('w/one/local'))).to.equal(false);
    });

    it('except those that muster may not read', async function () {
      if (process.getuid?.() === 0) this.skip();
      fixture.write('r/local/x', 'x');
      fixture.write('r/local/closed', 'x', 0o000);
      expect(await left()).to.deep.equal([{ path: 'local/closed', reason: 'unreadable' }]);
      await carried();
      expect(text('w/one/local/x')).to.equal('x');
      chmodSync(fixture.path('r/local/closed'), 0o600);
    });
  });

  describe('has its submodules', () => {
    beforeEach(() => {
      fixture.repository('inner', { 'i.txt': 'inner\n' });
      fixture.repository('lib', { 'l.txt': 'lib\n', '.gitignore': '.env\n' });
      fixture.git('lib', ...allowed, 'submodule', '--quiet', 'add', fixture.path('inner'), 'deep/inner');
      fixture.commit('lib', 'with inner');
      fixture.repository('r');
      fixture.git('r', ...allowed, 'submodule', '--quiet', 'add', fixture.path('lib'), 'lib');
      fixture.git('r', ...allowed, 'submodule', '--quiet', 'update', '--init', '--recursive');
      fixture.commit('r', 'with lib');
    });

    it('each at its commit, with its changes, untracked and ignored files, without a fetch', async () => {
      const moved = fixture.commit('r/lib', 'of the person');
      fixture.write('r/lib/l.txt', 'changed\n');
      fixture.write('r/lib/new', 'new\n');
      fixture.write('r/lib/.env', 'secret\n');
      fixture.write('r/lib/deep/inner/i.txt', 'changed too\n');
      for (const origin of ['lib', 'inner']) rmSync(fixture.path(origin), { recursive: true });
      const statuses = (root: string) =>
        ['', '/lib', '/lib/deep/inner'].map((path) => fixture.git(`${root}${path}`, 'status', '--porcelain'));
      const before = statuses('r');
      await carried();
      expect(fixture.git('w/one/lib', 'rev-parse', 'HEAD')).to.equal(moved);
      expect(statuses('w/one')).to.deep.equal(before);
      expect(statuses('r')).to.deep.equal(before);
      expect(text('w/one/lib/new')).to.equal('new\n');
      expect(text('w/one/lib/.env')).to.equal('secret\n');
      expect(text('w/one/lib/deep/inner/i.txt')).to.equal('changed too\n');
      expect(fixture.git('w/one', 'submodule', 'status', '--recursive')).to.equal(
        fixture.git('r', 'submodule', 'status', '--recursive'),
      );
      expect(fixture.git('w/one/lib', 'fsck', '--no-dangling')).to.equal('');
      expect(await left()).to.deep.equal([]);
    });

    it('each with its own repository, remotes and branches', async () => {
      await carried();
      await carried();
      const commit = fixture.commit('w/one/lib', 'of the agent');
      expect(() => fixture.git('r/lib', 'cat-file', '-e', commit)).to.throw();
      expect(fixture.git('w/one/lib', 'remote', 'get-url', 'origin')).to.equal(fixture.path('lib'));
      expect(fixture.git('w/one/lib', 'branch', '-a', '--format=%(refname)')).to.contain('refs/remotes/origin/main');
      expect(fixture.git('w/one/lib', 'rev-parse', '--show-toplevel')).to.equal(fixture.path('w/one/lib'));
      rmSync(fixture.path('r/.git/modules'), { recursive: true });
      expect(fixture.git('w/one/lib', 'log', '--format=%s')).to.equal('of the agent\nwith inner\nfirst');
    });

    it('and runs nothing from their configuration', async () => {
      const traps = new Traps(fixture);
      fixture.write('r/lib/.gitattributes', '* filter=evil\n');
      fixture.write('r/lib/l.txt', 'changed\n');
      traps.plant('r/.git/modules/lib', 'lib');
      await carried();
      expect(text('w/one/lib/l.txt')).to.equal('changed\n');
      expect(await left()).to.deep.equal([]);
      expect(traps.ran()).to.equal('');
      const config = text('r/.git/worktrees/one/modules/lib/config');
      expect(config).to.not.match(/filter|fsmonitor|command|hook|include|alias/i);
    });

    it('which contain no work until somebody changes them', async () => {
      const { path, branch } = await carried();
      const question = { repository: fixture.path('r'), path, branch };
      const reasons = async (original?: string) => {
        const found = await inspectWorktree({ ...question, original });
        return found.state === 'present' ? reasonsAgainstRemoval(found.facts) : [found.state];
      };
      const held = ['submodules or repositories of their own: lib'];
      expect(await reasons(fixture.path('r'))).to.deep.equal([]);
      expect(await reasons()).to.deep.equal(held);
      fixture.write('w/one/lib/.env', 'own\n');
      expect(await reasons(fixture.path('r')), 'an ignored file').to.deep.equal(held);
      fixture.write('r/lib/.env', 'own\n');
      expect(await reasons(fixture.path('r'))).to.deep.equal([]);
      fixture.write('w/one/lib/deep/inner/i.txt', 'work\n');
      expect(await reasons(fixture.path('r')), 'a file of one within').to.deep.equal(held);
      fixture.git('w/one/lib/deep/inner', 'checkout', '-q', '.');
      expect(await reasons(fixture.path('r'))).to.deep.equal([]);
      fixture.git('w/one/lib', 'switch', '-qc', 'work');
      fixture.git('w/one/lib', 'commit', '-qm', 'work', '--allow-empty');
      fixture.git('w/one/lib', 'checkout', '-q', '--detach', 'HEAD~1');
      expect(await reasons(fixture.path('r')), 'a commit').to.deep.equal(held);
    });

    it('and reports missing objects of one', async () => {
      const blob = fixture.git('r/lib', 'rev-parse', 'HEAD:l.txt');
      rmSync(fixture.path(`r/.git/modules/lib/objects/${blob.slice(0, 2)}/${blob.slice(2)}`));
      const error = await carried().catch((reason: unknown) => reason);
      expect(String(error)).to.match(/w\/one\/lib: objects are missing here/);
      expect(lstatSync(fixture.path('r/lib/l.txt')).isFile()).to.equal(true);
    });
  });
});
