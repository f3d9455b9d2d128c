import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { type CheckoutFolder, findGitDirectory } from '#world/git/repository/git-directory.ts';
import { cutRound, dropRounds, type Round } from '#world/git/review/round.ts';
import { viewWorktree } from '#world/git/review/worktree-view.ts';
import { GitFixture } from '../git-fixture.ts';
import { checkoutStates } from './checkout-states.ts';
import { repositoryKinds } from './repository-kinds.ts';
import { type Expected, plainRepository, type Scene, untouched } from './snapshot-scene.ts';

const snapshotCases = [...checkoutStates, ...repositoryKinds];

const ref = 'refs/muster/rounds/agt_1/1';

describe('git/review/snapshot', () => {
  let fixture: GitFixture;
  beforeEach(() => {
    fixture = new GitFixture();
  });
  afterEach(() => fixture.dispose());

  const sceneOf = (name: string): Scene => ({
    fixture,
    name,
    git: (...args) => fixture.git(name, ...args),
    write: (path, content, mode) => fixture.write(join(name, path), content, mode),
    path: (path) => `${fixture.path(name)}/${path}`,
  });
  const checkout = async (name: string): Promise<CheckoutFolder> => {
    const at = await findGitDirectory(fixture.path(name));
    if (at?.workTree === undefined) throw new Error(`${name} is no checkout`);
    return { ...at, workTree: at.workTree };
  };
  const cut = async (name: string, base?: string): Promise<Round> =>
    cutRound(await checkout(name), { ref, settled: false, base });
  const treeOf = async (name: string): Promise<string> =>
    viewWorktree(await checkout(name), { objects: 'discard', hashing: 'changed' }, async ({ treeSha }) => treeSha);

  /** What a snapshot holds at a path, in the form of the table. */
  function found(name: string, sha: string, path: string, like: Expected): Expected {
    const line = fixture.git(name, '--literal-pathspecs', 'ls-tree', '-z', '--full-tree', sha, '--', path);
    if (line === '') return undefined;
    const [mode = '', , oid = ''] = line.split(/[ \t]/);
    const content = (): string => fixture.git(name, '-c', 'alias.raw=!git cat-file blob $1 && printf .; :', 'raw', oid);
    if (typeof like === 'string') return content().slice(0, -1);
    return { mode, ...(like?.content === undefined ? {} : { content: content().slice(0, -1) }) };
  }

  for (const { what, make, edit, holds, leftOut = [], unborn } of someOf(snapshotCases, 0, 6)) {
    it(`includes ${what}`, async () => {
      const name = (make ?? plainRepository)(fixture);
      edit?.(sceneOf(name));
      const before = untouched(fixture, name);
      const round = await cut(name);
      expect(untouched(fixture, name)).to.equal(before);
      expect(round.leftOut).to.deep.equal(leftOut);
      for (const [path, expected] of Object.entries(holds)) {
        expect(found(name, round.snapshotSha, path, expected), path).to.deep.equal(expected);
      }
      expect(fixture.git(name, 'rev-parse', ref, `${ref}^{tree}`)).to.equal(`${round.snapshotSha}\n${round.treeSha}`);
      const head = unborn ? round.baseSha : fixture.git(name, 'rev-parse', 'HEAD');
      expect(fixture.git(name, 'rev-parse', `${ref}^@`)).to.equal(head);
      expect(await treeOf(name)).to.equal(round.treeSha);
      expect(untouched(fixture, name)).to.equal(before);
    });
  }

  it('has a case for each of the 38 kinds of checkout', () => {
    expect(snapshotCases).to.have.length(38);
  });

  it('includes a name that is not UTF-8', async () => {
    const scene = sceneOf(plainRepository(fixture));
    writeFileSync(Buffer.concat([Buffer.from(scene.path('')), Buffer.from([0xff, 0xfe])]), 'bytes\n');
    const { snapshotSha } = await cut('r');
    expect(fixture.git('r', 'ls-tree', '--full-tree', snapshotSha)).to.contain('"\\377\\376"');
  });

  it('stores nothing to compute a tree', async () => {
    const scene = sceneOf(plainRepository(fixture));
    scene.write('new.txt', 'nobody stores this\n');
    const count = (): string => fixture.git('r', 'count-objects');
    const before = count();
    await treeOf('r');
    expect(count()).to.equal(before);
  });

  it('returns one tree for the same files, whatever is committed or ignored, at any time', async () => {
    const scene = sceneOf(plainRepository(fixture));
    scene.write('a.txt', 'changed\n');
    const { treeSha } = await cut('r');
    fixture.commit('r', 'work');
    scene.write('x.log', 'ignored');
    scene.write('a.txt', 'changed\n');
    expect(await treeOf('r')).to.equal(treeSha);
    scene.write('a.txt', 'changed\n', 0o755);
    expect(await treeOf('r')).to.not.equal(treeSha);
  });

  inSoak('takes files in the order of paths until the room is full, and says which are left out', async () => {
    const scene = sceneOf(plainRepository(fixture));
    for (let at = 0; at < 5_002; at += 1) scene.write(`many/${String(at).padStart(4, '0')}`, '');
    scene.write('a.txt', 'changed\n');
    const round = await cut('r');
    expect(round.leftOut).to.deep.equal([
      { path: 'many/5000', reason: 'budget', bytes: 0 },
      { path: 'many/5001', reason: 'budget', bytes: 0 },
    ]);
    expect(round.changedFiles).to.equal(5_001);
    expect(await treeOf('r')).to.equal(round.treeSha);
  });

  inSoak('keeps base, HEAD and snapshot from being collected, whatever happens to the branch', async () => {
    const scene = sceneOf(plainRepository(fixture));
    scene.git('checkout', '-q', '-b', 'work');
    scene.write('a.txt', 'work\n');
    const head = fixture.commit('r', 'work');
    scene.write('a.txt', 'more\n');
    const first = await cut('r');
    scene.write('a.txt', 'even more\n');
    const again = await cut('r');
    scene.git('checkout', '-q', '--orphan', 'other');
    scene.git('branch', '-q', '-D', 'work', 'main');
    scene.git('reflog', 'expire', '--expire=now', '--all');
    scene.git('gc', '-q', '--prune=now');
    for (const sha of [head, first.snapshotSha, first.baseSha, again.snapshotSha]) {
      expect(scene.git('cat-file', '-t', sha)).to.equal('commit');
    }
    await dropRounds(await checkout('r'), [ref, 'refs/muster/rounds/agt_1/9']);
    expect(scene.git('for-each-ref', 'refs/muster')).to.equal('');
  });

  inSoak('reads the work against the newest commit that it shares with its base', async () => {
    const scene = sceneOf(plainRepository(fixture));
    const start = scene.git('rev-parse', 'HEAD');
    fixture.publish('r');
    // Commits of a person that were never pushed are not the agent's.
    scene.write('b.txt', 'person\n');
    const local = fixture.commit('r', 'not pushed');
    scene.git('checkout', '-q', '-b', 'work');
    expect(await cut('r')).to.include({ baseSha: local, changedFiles: 0 });
    scene.write('a.txt', 'work\n');
    fixture.commit('r', 'work');
    expect(await cut('r')).to.include({ baseSha: local, changedFiles: 1 });
    expect(await cut('r', start)).to.include({ baseSha: start, changedFiles: 2 });
    scene.git('branch', '-q', 'release', start);
    expect(await cut('r', 'release')).to.include({ baseSha: start, changedFiles: 2 });
    // Who works on the base branch itself is read against what was pushed.
    scene.git('checkout', '-q', 'main');
    expect(await cut('r')).to.include({ baseSha: start, changedFiles: 1 });
    const failure = await failureOf(() => cut('r', 'nothing-of-that-name'));
    expect(failure.code).to.equal('failed_precondition');
    expect((await failureOf(() => cut('r', '--all'))).code).to.equal('invalid_argument');
  });

  it('refuses an unsettled worktree while a merge is in progress', async () => {
    const scene = sceneOf(plainRepository(fixture));
    writeFileSync(scene.path('.git/MERGE_HEAD'), `${scene.git('rev-parse', 'HEAD')}\n`);
    const settled = await failureOf(async () => cutRound(await checkout('r'), { ref, settled: true }));
    expect(settled.code).to.equal('failed_precondition');
    expect(existsSync(scene.path('.git/refs/muster'))).to.equal(false);
    rmSync(scene.path('.git/MERGE_HEAD'));
    await cutRound(await checkout('r'), { ref, settled: true });
  });
}).timeout(60_000);
