import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { findBuildFolders, removeBuildFolders } from '#world/git/worktree/build-folders.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';
import { GitFixture } from '../git-fixture.ts';

describe('git/build-folders', () => {
  let fixture: GitFixture;
  let worktree: string;
  let repository: string;
  const agentId = 'agt_1';
  const branch = 'muster/one-agt_1';
  const agreed = async () => {};
  beforeEach(async () => {
    fixture = new GitFixture();
    repository = fixture.repository('r', { 'a.txt': 'one\n', '.gitignore': 'node_modules\nout/\n' });
    fixture.publish('r');
    worktree = fixture.path('w/one');
    await addWorktree({ repository, path: worktree, branch, reason: 'muster agt_1' });
  });
  afterEach(() => fixture.dispose());

  const write = (path: string, content = 'x'.repeat(10_000)): string => {
    const file = path.startsWith('/') ? path : join(worktree, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const paths = (found: readonly { readonly path: string }[]) => found.map(({ path }) => path).toSorted();
  const remove = (confirm = agreed) => removeBuildFolders(worktree, ['node_modules'], confirm);
  const aside = () => readdirSync(dirname(worktree)).filter((name) => name.includes('muster-removed'));

  it('deletes ignored folders with the given names, at any depth, and nothing else', async () => {
    write('node_modules/a/index.js');
    write('packages/b/node_modules/c.js');
    const others = [write('out/result.txt'), write('packages/b/src.ts'), write('new.txt')];
    const target = write(fixture.path('elsewhere/precious.txt'));
    symlinkSync(dirname(target), join(worktree, 'node_modules/link'));
    const { removed, kept } = await remove();
    expect(paths(removed)).to.deep.equal(['node_modules', 'packages/b/node_modules']);
    for (const { bytes } of removed) expect(bytes).to.be.within(10_000, 100_000);
    expect(kept).to.deep.equal([]);
    expect(existsSync(join(worktree, 'node_modules'))).to.equal(false);
    for (const path of [...others, target, join(worktree, 'a.txt')]) expect(existsSync(path), path).to.equal(true);
    expect(aside()).to.deep.equal([]);
    expect((await remove()).removed).to.deep.equal([]);
  });

  it('keeps what is a link, is tracked, not ignored, or has a repository in it, and says why', async () => {
    const target = write(fixture.path('elsewhere/precious.txt'));
    symlinkSync(dirname(target), join(worktree, 'node_modules'));
    expect((await remove()).kept).to.deep.equal([{ path: 'node_modules', why: 'it is a link or a file' }]);
    write('one/node_modules/x.js');
    fixture.git('w/one', 'add', '-f', 'one/node_modules/x.js');
    write('two/node_modules/.git/HEAD', 'ref: refs/heads/main\n');
    fixture.git('w/one', 'init', '--bare', '-q', 'three/node_modules/deep/bare');
    write('four/vendor/x.js');
    const { removed, kept } = await removeBuildFolders(worktree, ['node_modules', 'four/vendor', '..', '.git'], agreed);
    expect(removed).to.deep.equal([]);
    expect(kept.toSorted((a, b) => a.path.localeCompare(b.path))).to.deep.equal([
      { path: 'node_modules', why: 'it is a link or a file' },
      { path: 'three/node_modules', why: 'it has a repository in it: deep/bare/' },
      { path: 'two/node_modules', why: 'it has a repository in it: .' },
    ]);
    expect(existsSync(target)).to.equal(true);
    expect(existsSync(join(worktree, 'one/node_modules/x.js'))).to.equal(true);
  });

  it('moves back a folder that a repository is written into meanwhile, and keeps one that is exchanged for a link', async () => {
    write('node_modules/a.js');
    const target = write(fixture.path('elsewhere/node_modules/precious.txt'));
    const written = await remove(async () => void write('node_modules/own/.git/HEAD', 'x'));
    expect(written.kept).to.deep.equal([{ path: 'node_modules', why: 'it has a repository in it: own/' }]);
    expect(existsSync(join(worktree, 'node_modules/a.js'))).to.equal(true);
    write('deep/node_modules/b.js');
    const exchanged = await removeBuildFolders(worktree, ['deep/node_modules'], async () => {
      renameSync(join(worktree, 'deep'), join(worktree, 'was'));
      symlinkSync(dirname(dirname(target)), join(worktree, 'deep'));
    });
    expect(exchanged.kept).to.deep.equal([{ path: 'deep/node_modules', why: 'it was replaced meanwhile' }]);
    expect(existsSync(target)).to.equal(true);
    expect(aside()).to.deep.equal([]);
  });

  it('deletes what an interrupted call moved aside, and reports it', async () => {
    write('node_modules/a.js');
    const { ino } = (await import('node:fs')).lstatSync(join(worktree, 'node_modules'));
    renameSync(join(worktree, 'node_modules'), `${worktree}.muster-removed-${ino}-0123abcd`);
    expect(paths((await remove()).removed)).to.deep.equal([`../one.muster-removed-${ino}-0123abcd`]);
    expect(aside()).to.deep.equal([]);
  });

  it('removes a worktree whose work is saved, and keeps its branch and content under a reference', async () => {
    const order = {
      repository,
      path: worktree,
      branch,
      agentId,
      force: false,
      keep: true,
      buildFolders: ['node_modules'],
    };
    write('node_modules/a.js');
    write('out/result.txt');
    const refused = await removeWorktree(order);
    expect(refused).to.deep.include({ removed: false });
    expect('reasons' in refused && refused.reasons.join()).to.match(
      /1 ignored file that nothing makes again: out\/result.txt/,
    );
    const late = await removeWorktree({
      ...order,
      buildFolders: ['node_modules', 'out'],
      confirm: async () => void write('late.txt'),
    });
    expect(late).to.deep.equal({ removed: false, reasons: ['it was written to meanwhile'] });
    expect(existsSync(join(worktree, 'late.txt'))).to.equal(true);
    // A file that muster knows nothing of speaks against it from then on.
    expect(await removeWorktree({ ...order, buildFolders: ['node_modules', 'out'] })).to.have.property(
      'removed',
      false,
    );
    renameSync(join(worktree, 'late.txt'), fixture.path('late.txt'));
    const held = {
      ...order,
      buildFolders: ['node_modules', 'out'],
      confirm: () => Promise.reject(new Error('it was restored')),
    };
    expect(await removeWorktree(held)).to.have.property('removed', false);
    expect(existsSync(worktree)).to.equal(true);
    expect(await removeWorktree({ ...order, buildFolders: ['node_modules', 'out'] })).to.deep.equal({
      removed: true,
      branchDeleted: false,
    });
    expect(existsSync(worktree)).to.equal(false);
    expect(fixture.git('r', 'branch', '--list', branch)).to.include(branch);
    expect(fixture.git('r', 'show', `refs/muster/kept/${agentId}:a.txt`)).to.equal('one');
    expect((await findBuildFolders(worktree, ['node_modules'])).removable).to.deep.equal([]);
  });
});
