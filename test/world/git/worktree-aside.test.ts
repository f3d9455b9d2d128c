import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { removeWorktree, type WorktreeRemovalOptions } from '#world/git/worktree/worktree-removal.ts';
import { GitFixture } from '../git-fixture.ts';

describe('git/worktree-removal deletes', () => {
  let fixture: GitFixture;
  let order: WorktreeRemovalOptions;
  beforeEach(async () => {
    fixture = new GitFixture();
    const repository = fixture.repository('r', { '.gitignore': 'node_modules/\n' });
    fixture.publish('r');
    order = { repository, path: fixture.path('w/one'), branch: 'muster/one-agt_1', agentId: 'agt_1', force: false };
    await addWorktree({ repository, path: order.path, branch: order.branch, reason: 'muster agt_1' });
  });
  afterEach(() => fixture.dispose());

  it('no folder that it did not move aside, with any name', async () => {
    const { ino } = statSync(order.path);
    const others = ['', `-${ino}-0123abcd`, `-${ino}`, '-'].map((end) => `${order.path}.muster-removed${end}`);
    for (const other of others) {
      mkdirSync(other);
      writeFileSync(join(other, 'work.txt'), 'work');
    }
    for (const attempt of ['first', 'again']) {
      expect((await removeWorktree(order)).removed, attempt).to.equal(true);
      for (const other of others) expect(readFileSync(join(other, 'work.txt'), 'utf8'), other).to.equal('work');
    }
  });

  it('a worktree, even if a path in it is too long', async () => {
    const level = 'd'.repeat(200);
    const script = `cd -P "$1" && while [ $(( \${#PWD} + 203 )) -lt 4095 ]; do mkdir "$2" && cd -P "$2" || exit 1; done; : > $(printf %0$(( 4093 - \${#PWD} ))d 1)`;
    mkdirSync(join(order.path, 'node_modules'));
    execFileSync('/bin/sh', ['-c', script, 'sh', join(order.path, 'node_modules'), level]);
    const removal = await removeWorktree(order);
    expect(removal.removed, JSON.stringify(removal)).to.equal(true);
    expect(readdirSync(dirname(order.path)).filter((name) => name.includes('one'))).to.deep.equal([]);
  });
}).timeout(60_000);
