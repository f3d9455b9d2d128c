import { expect } from 'chai';
import { someOf } from '#test/support/some-of.ts';
import { gitIn, makeWorktree, writeIn } from '#test/world/git/agent-worktree.ts';
import { GitFixture } from '#test/world/git-fixture.ts';
import { fillIndex } from '#world/git/checkout/own-index.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { openShadow, type Shadow } from '#world/git/repository/shadow.ts';
import { cutRound } from '#world/git/review/round.ts';
import { snapshotTree } from '#world/git/snapshot/snapshot.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';

const byGit = `$Id: ${'a'.repeat(40)} $`;

describe('attributes that change while a round is cut', () => {
  let fixture: GitFixture;
  let repository: string;
  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository('r', { 'a.txt': 'before $Id$ after\n', '.gitattributes': '' });
    fixture.publish('r');
  });
  afterEach(() => fixture.dispose());

  const order = () => ({ repository, path: fixture.path('w/one'), branch: 'muster/one', reason: 'muster one' });
  const git = (at: CheckoutFolder, ...args: string[]) => gitIn(fixture, at, ...args).toString();

  /** What a round holds of `a.txt` if the agent does something before and after each command of git's. */
  async function heldWhile(
    at: CheckoutFolder,
    agent: (command: string, when: 'before' | 'after') => void,
  ): Promise<string> {
    const headSha = git(at, 'rev-parse', 'HEAD').trim();
    await using shadow = await openShadow(at, { headSha, index: 'shadow', objects: 'keep' });
    const watched: Shadow = {
      ...shadow,
      git: async (args, options) => {
        agent(args[0] ?? '', 'before');
        const output = await shadow.git(args, options);
        agent(args[0] ?? '', 'after');
        return output;
      },
    };
    const { committed } = await fillIndex(watched, at, headSha, 'everything');
    const { treeSha } = await snapshotTree(watched, at.workTree, committed);
    return git(at, 'cat-file', 'blob', `${treeSha}:a.txt`);
  }

  it('hide nothing that is added after muster read them', async () => {
    const at = await makeWorktree(order());
    writeIn(at, 'a.txt', 'before $Id: work $ after\n');
    const held = await heldWhile(at, (command, when) =>
      writeIn(at, '.gitattributes', command === 'check-attr' && when === 'before' ? '' : '* ident\n'),
    );
    expect(held).to.equal('before $Id: work $ after\n');
  });

  it('hide nothing that is written after muster read the file', async () => {
    const at = await makeWorktree(order());
    writeIn(at, '.gitattributes', '* ident\n');
    writeIn(at, 'a.txt', `before ${byGit} after\n`);
    const held = await heldWhile(at, (command, when) => {
      if (command === 'add' && when === 'before') writeIn(at, 'a.txt', 'work $Id: work $ work\n');
    });
    // What was judged, whole: the next round shows what came after it.
    expect(held).to.equal('before $Id$ after\n');
  });

  const unstorable: Readonly<Record<string, (at: CheckoutFolder) => void>> = {
    'an encoding without a value': (at) => writeIn(at, '.gitattributes', 'a.txt working-tree-encoding\n'),
    'core.safecrlf': (at) => {
      git(at, 'config', 'core.safecrlf', 'true');
      git(at, 'config', 'core.autocrlf', 'input');
      writeIn(at, 'lines.txt', 'one\r\ntwo\n');
    },
    'a filter that must run': (at) => {
      git(at, 'config', 'filter.must.required', 'true');
      writeIn(at, '.gitattributes', '* filter=must\n');
    },
  };
  for (const [what, plant] of someOf(Object.entries(unstorable))) {
    it(`prevent no round, no snapshot and no removal: ${what}`, async () => {
      const at = await makeWorktree(order());
      writeIn(at, 'a.txt', 'work\n');
      plant(at);
      const { snapshotSha, leftOut } = await cutRound(at, { ref: 'refs/muster/rounds/agt_1/1', settled: false });
      expect(leftOut).to.deep.equal([]);
      expect(git(at, 'cat-file', 'blob', `${snapshotSha}:a.txt`)).to.equal('work\n');
      expect(await inspectWorktree(order()))
        .nested.property('facts.changed')
        .include('a.txt');
      const removal = await removeWorktree({ ...order(), agentId: 'agt_1', force: true });
      expect(removal.removed, JSON.stringify(removal)).to.equal(true);
      const kept = { ...at, workTree: repository };
      expect(git(kept, 'cat-file', 'blob', 'refs/muster/kept/agt_1:a.txt')).to.equal('work\n');
    });
  }
});
