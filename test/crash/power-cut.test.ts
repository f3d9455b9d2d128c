import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostId, hostKey } from '#actors/host/serve/identity.ts';
import { operatorToken } from '#actors/registry/access/agent-tokens.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore } from '#store/store.ts';
import { type PowerCutDisk, powerCutDisk } from '#test/support/power-cut-disk.ts';
import { timesOf } from '#test/support/soak.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock } from '#test/support/test-clock.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { cutRound } from '#world/git/review/round.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';

/** How often the power is cut. */
const cuts = timesOf('MUSTER_TEST_POWER_CUTS', 2, 20);

describe('a power failure right after an answer', function () {
  this.timeout(60_000 + cuts * 20_000);
  let disk: PowerCutDisk;
  let dispose: () => void;

  beforeEach(function () {
    const folder = temporaryFolder('power');
    const made = powerCutDisk(folder.path);
    if (made === undefined) {
      folder.remove();
      this.skip();
    }
    disk = made;
    dispose = () => {
      made.remove();
      folder.remove();
    };
  });
  afterEach(() => dispose?.());

  const at = (...segments: string[]) => join(disk.path, ...segments);
  const git = (dir: string, ...args: string[]) => {
    const settings = ['user.name=Ann', 'user.email=ann@example.com', 'init.defaultBranch=main', 'safe.directory=*'];
    const all = [...settings.flatMap((setting) => ['-c', setting]), ...args];
    return execFileSync('git', all, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  };
  /** A worktree in which an agent has worked until just now; only the repository has been on the disk for long. */
  async function worktree(): Promise<string> {
    execFileSync('git', ['init', '-q', '-b', 'main', at('r')]);
    writeFileSync(at('r', 'a.txt'), 'one\n');
    git(at('r'), 'add', '-A');
    git(at('r'), 'commit', '-q', '-m', 'first');
    await addWorktree({ repository: at('r'), path: at('w'), branch: 'muster/one', reason: 'muster one' });
    disk.settle();
    return at('w');
  }
  function work(path: string, count: number): void {
    writeFileSync(join(path, 'committed.txt'), `committed ${count}\n`);
    git(path, 'add', '-A');
    git(path, 'commit', '-q', '-m', `work ${count}`);
    writeFileSync(join(path, 'staged.txt'), `staged ${count}\n`);
    git(path, 'add', '-A');
    writeFileSync(join(path, 'new.txt'), `new ${count}\n`);
  }
  function expectWhole(cut: string, ref: string, count: number): void {
    const repository = join(cut, 'r');
    const held = (name: string) => git(repository, 'cat-file', 'blob', `${ref}:${name}.txt`);
    for (const name of ['committed', 'staged', 'new']) expect(held(name)).to.equal(`${name} ${count}`);
    git(repository, 'rev-list', '--objects', ref);
  }

  it('loses nothing that a forced deletion has kept', async () => {
    const path = await worktree();
    for (let count = 1; count <= cuts; count += 1) {
      if (count > 1) {
        await addWorktree({ repository: at('r'), path, branch: `muster/${count}`, reason: 'muster one' });
        disk.settle();
      }
      work(path, count);
      const branch = count > 1 ? `muster/${count}` : 'muster/one';
      const removal = await removeWorktree({ repository: at('r'), path, branch, agentId: `agt_${count}`, force: true });
      expect(removal.removed).to.equal(true);
      expectWhole(disk.cut(), `refs/muster/kept/agt_${count}`, count);
    }
  });

  it('loses no round', async () => {
    const path = await worktree();
    const found = await findGitDirectory(path);
    if (found === undefined) throw new Error('no worktree was made');
    for (let count = 1; count <= cuts; count += 1) {
      work(path, count);
      const ref = `refs/muster/rounds/agt_1/${count}`;
      const round = await cutRound({ ...found, workTree: path }, { ref, settled: false });
      const cut = disk.cut();
      expectWhole(cut, ref, count);
      expect(git(join(cut, 'r'), 'rev-parse', ref)).to.equal(round.snapshotSha);
    }
  });

  it('loses nothing that the database has committed', async () => {
    const file = at('muster.db');
    const store = await openStore({ engine: new SqliteEngine(file), clock: testClock(), viewOf });
    disk.settle();
    for (let count = 1; count <= cuts; count += 1) {
      await store.write(({ settings }) => settings.put('count', String(count)));
      const cut = await openStore({
        engine: new SqliteEngine(join(disk.cut(), 'muster.db')),
        clock: testClock(),
        viewOf,
      });
      expect(await cut.read(({ settings }) => settings.get('count'))).to.equal(String(count));
      await cut.close();
    }
    await store.close();
  });

  it('loses neither a host’s id and key nor the operator’s token', () => {
    for (let count = 1; count <= cuts; count += 1) {
      const home = at(`home-${count}`);
      mkdirSync(home);
      const told = [hostId(home), JSON.stringify(hostKey(home)), operatorToken(home)];
      const cut = join(disk.cut(), `home-${count}`);
      expect([hostId(cut), JSON.stringify(hostKey(cut)), operatorToken(cut)]).to.deep.equal(told);
    }
  });
});
