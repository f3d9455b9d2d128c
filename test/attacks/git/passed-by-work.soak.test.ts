import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { gitIn, makeWorktree, writeIn } from '#test/world/git/agent-worktree.ts';
import { GitFixture } from '#test/world/git-fixture.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { cutRound } from '#world/git/review/round.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';

const sha = '1'.repeat(40);

describe('work that git ignores', () => {
  let fixture: GitFixture;
  let repository: string;
  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository('r');
    fixture.publish('r');
  });
  afterEach(() => fixture.dispose());

  const order = () => ({ repository, path: fixture.path('w/one'), branch: 'muster/one', reason: 'muster one' });
  const worktree = () => makeWorktree(order());
  const git = (at: CheckoutFolder, ...args: string[]) => gitIn(fixture, at, ...args);

  it('a file named .git in a nested repository is not removed by force', async () => {
    const at = await worktree();
    git(at, 'init', '-q', 'mine');
    writeIn(at, 'mine/deep/.git/notes.txt');
    for (const force of [false, true]) {
      const removal = await removeWorktree({ ...order(), agentId: 'agt_1', force });
      expect(removal)
        .to.have.property('reasons')
        .that.match(/mine\/deep\/\.git/);
    }
    expect(existsSync(join(at.workTree, 'mine/deep/.git/notes.txt'))).to.equal(true);
  });

  it('a file that a nested repository both tracks and ignores is kept', async () => {
    const at = await worktree();
    git(at, 'init', '-q', 'mine');
    const inner = { ...at, workTree: join(at.workTree, 'mine') };
    writeIn(inner, '.gitignore', '*.dat\n');
    for (const path of ['kept.dat', 'edited.dat', 'gone.dat']) writeIn(inner, path);
    git(inner, 'add', '-f', '.');
    writeIn(inner, 'edited.dat', 'edited\n');
    rmSync(join(inner.workTree, 'gone.dat'));
    writeIn(inner, 'ignored.dat');
    const removal = await removeWorktree({ ...order(), agentId: 'agt_1', force: true });
    expect(removal.removed, JSON.stringify(removal)).to.equal(true);
    const kept = { ...at, workTree: repository };
    const held = (...args: string[]) => git(kept, ...args).toString();
    expect(held('ls-tree', '--name-only', 'refs/muster/kept/agt_1:mine').trim().split('\n')).to.deep.equal([
      '.gitignore',
      'edited.dat',
      'kept.dat',
    ]);
    expect(held('cat-file', 'blob', 'refs/muster/kept/agt_1:mine/edited.dat')).to.equal('edited\n');
  });

  it('a link over a folder is not accepted for a repository with a similar name', async () => {
    const at = await worktree();
    const [name, twin] = [Buffer.from('mine\xff', 'latin1'), 'mine\ufffd'];
    const folder = Buffer.concat([Buffer.from(`${at.workTree}/`), name]);
    try {
      mkdirSync(folder);
    } catch {
      return; // This file system has no such names.
    }
    writeFileSync(Buffer.concat([folder, Buffer.from('/work.txt')]), 'work\n');
    git(at, 'init', '-q', twin);
    git({ ...at, workTree: join(at.workTree, twin) }, 'commit', '-q', '--allow-empty', '-m', 'twin');
    const entry = Buffer.concat([Buffer.from(`160000 ${sha}\t`), name, Buffer.from('\0')]);
    execFileSync('git', ['update-index', '-z', '--index-info'], { cwd: at.workTree, input: entry });
    const { snapshotSha } = await cutRound(at, { ref: 'refs/muster/rounds/agt_1/1', settled: false });
    expect(git(at, 'ls-tree', '-r', snapshotSha).toString()).to.contain('work.txt');
    const forced = await removeWorktree({ ...order(), agentId: 'agt_1', force: true });
    expect(forced.removed, JSON.stringify(forced)).to.equal(true);
    const kept = { ...at, workTree: repository };
    expect(git(kept, 'ls-tree', '-r', 'refs/muster/kept/agt_1').toString()).to.contain('work.txt');
  });

  it('a folder that git cannot open is named by the round, and not removed by force', async () => {
    const at = await worktree();
    // Longer than a path may be: not even root can open it by name.
    const level = 'd'.repeat(250);
    const make =
      'cd -P "$1" && for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do mkdir "$2" && cd -P "$2" || exit; done';
    mkdirSync(join(at.workTree, 'deep'));
    try {
      execFileSync('/bin/sh', ['-c', `${make}; echo work > work.txt`, 'sh', join(at.workTree, 'deep'), level]);
      const { leftOut } = await cutRound(at, { ref: 'refs/muster/rounds/agt_1/1', settled: false });
      expect(leftOut).to.have.length(1);
      expect(leftOut[0])
        .to.include({ reason: 'unreadable' })
        .and.property('path')
        .match(/^deep\/d/);
      for (const force of [false, true]) {
        const removal = await removeWorktree({ ...order(), agentId: 'agt_1', force });
        expect(removal)
          .to.have.property('reasons')
          .that.match(/deep\/d/);
      }
      expect(existsSync(join(at.workTree, 'deep'))).to.equal(true);
    } finally {
      execFileSync('rm', ['-rf', join(at.workTree, 'deep')]);
    }
  });
});
