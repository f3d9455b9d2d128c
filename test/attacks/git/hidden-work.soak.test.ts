import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { someOf } from '#test/support/some-of.ts';
import { gitIn, makeWorktree, writeIn } from '#test/world/git/agent-worktree.ts';
import { GitFixture } from '#test/world/git-fixture.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { cutRound } from '#world/git/review/round.ts';
import { viewWorktree } from '#world/git/review/worktree-view.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';

const sha = '1'.repeat(40);

/** Tricks with which an agent hides work in its worktree. */
interface Hiding {
  readonly plant: (at: CheckoutFolder) => void;
  /** Where its work lies. */
  readonly path: string;
  /** Where it is found in what is kept and in a round, where that is elsewhere than in the worktree. */
  readonly holds?: string | Buffer;
  /** A round names it in place of holding it. */
  readonly leftOut?: { readonly path: string; readonly reason: string };
}

describe('work hidden in a worktree', () => {
  let fixture: GitFixture;
  let repository: string;
  beforeEach(() => {
    fixture = new GitFixture();
    fixture.repository('lib', { 'l.txt': 'lib\n' });
    repository = fixture.repository('r', {
      'a.txt': 'one\n',
      'id.txt': 'before $Id$ after\n',
      'sub/c.txt': 'three\n',
      '.gitattributes': 'id.txt ident\n',
    });
    const allow = ['-c', 'protocol.file.allow=always'];
    fixture.git('r', ...allow, 'submodule', 'add', '-q', fixture.path('lib'), 'lib');
    fixture.commit('r', 'with lib');
    fixture.publish('r');
  });
  afterEach(() => fixture.dispose());

  const order = () => ({ repository, path: fixture.path('w/one'), branch: 'muster/one', reason: 'muster one' });
  const worktree = () => makeWorktree(order());
  const git = (at: CheckoutFolder, ...args: string[]) => gitIn(fixture, at, ...args);
  const link = (at: CheckoutFolder, path: string) =>
    git(at, 'update-index', '--add', '--replace', '--cacheinfo', `160000,${sha},${path}`);
  const attribute = (at: CheckoutFolder, line: string) => {
    mkdirSync(join(at.commonDir, 'info'), { recursive: true });
    writeFileSync(join(at.commonDir, 'info/attributes'), `${line}\n`);
  };
  const treeOf = (at: CheckoutFolder) =>
    viewWorktree(at, { objects: 'discard', hashing: 'changed' }, async ({ treeSha }) => treeSha);

  const hidings: Readonly<Record<string, Hiding>> = {
    'below a submodule that is not checked out': {
      path: 'lib/mine.txt',
      plant: (at) => writeIn(at, 'lib/mine.txt'),
    },
    'below a submodule whose pointer leads nowhere': {
      path: 'lib/mine.txt',
      plant: (at) => {
        writeIn(at, 'lib/mine.txt');
        writeIn(at, 'lib/.git', 'gitdir: ../nowhere\n');
      },
    },
    'below a link that was written into the index': {
      path: 'mine/deep/file.txt',
      plant: (at) => {
        writeIn(at, 'mine/deep/file.txt');
        link(at, 'mine');
      },
    },
    'below a link that was written over a folder of the commit': {
      path: 'sub/c.txt',
      plant: (at) => {
        writeIn(at, 'sub/c.txt');
        link(at, 'sub');
      },
    },
    'below the name of a file that was written over a folder of the commit': {
      path: 'sub/c.txt',
      plant: (at) => {
        writeIn(at, 'sub/c.txt');
        git(
          at,
          'update-index',
          '--add',
          '--replace',
          '--cacheinfo',
          `100644,${'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'},sub`,
        );
      },
    },
    'below a link that a submodule setting ignores': {
      path: 'mine/file.txt',
      plant: (at) => {
        writeIn(at, 'mine/file.txt');
        writeIn(at, '.gitmodules', '[submodule "mine"]\n\tpath = mine\n\turl = x\n\tignore = all\n');
        git(at, 'config', 'diff.ignoreSubmodules', 'all');
        link(at, 'mine');
      },
    },
    'below a link whose folder a symbolic link stands for': {
      path: 'mine/file.txt',
      plant: (at) => {
        writeIn(at, 'mine/file.txt');
        symlinkSync(fixture.path('lib'), join(at.workTree, 'mine/.git'));
        link(at, 'mine');
      },
    },
    'in a file where a link was written': {
      path: 'mine',
      plant: (at) => {
        writeIn(at, 'mine');
        link(at, 'mine');
      },
    },
    'behind the name of another file in other case': {
      path: 'A.TXT',
      plant: (at) => {
        git(at, 'config', 'core.ignorecase', 'true');
        writeIn(at, 'A.TXT');
      },
    },
    'between the signs of ident, by an attribute of the commit': {
      path: 'id.txt',
      holds: 'before $Id: work $ after\n',
      plant: (at) => writeIn(at, 'id.txt', 'before $Id: work $ after\n'),
    },
    'between the signs of ident, by an attribute that nobody sees': {
      path: 'new.txt',
      holds: '$Id: work $\n',
      plant: (at) => {
        attribute(at, '* ident');
        writeIn(at, 'new.txt', '$Id: work $\n');
      },
    },
    'behind an encoding that git cannot read': {
      path: 'a.txt',
      plant: (at) => {
        attribute(at, 'a.txt working-tree-encoding=UTF-16');
        writeIn(at, 'a.txt');
      },
    },
    'behind an encoding in which other text stands there': {
      path: 'a.txt',
      holds: '+AG8-ne\n',
      plant: (at) => {
        attribute(at, 'a.txt working-tree-encoding=UTF-7');
        writeIn(at, 'a.txt', '+AG8-ne\n');
      },
    },
    'behind a filter': {
      path: 'a.txt',
      plant: (at) => {
        attribute(at, 'a.txt filter=old');
        git(at, 'config', 'filter.old.clean', 'echo one');
        writeIn(at, 'a.txt');
      },
    },
    'in a repository of its own': {
      path: 'mine/file.txt',
      leftOut: { path: 'mine', reason: 'repository' },
      plant: (at) => {
        git(at, 'init', '-q', 'mine');
        writeIn(at, 'mine/file.txt');
      },
    },
    'in a repository whose files are elsewhere': {
      path: 'mine/file.txt',
      leftOut: { path: 'mine', reason: 'repository' },
      plant: (at) => {
        writeIn(at, 'mine/file.txt');
        writeIn(at, 'mine/.git', `gitdir: ${at.gitDir}\n`);
      },
    },
    'in a submodule of a submodule': {
      path: 'lib/inner/l.txt',
      leftOut: { path: 'lib', reason: 'submodule' },
      plant: (at) => {
        const clone = (path: string) => git(at, 'clone', '-q', fixture.path('lib'), path);
        clone('lib');
        clone('lib/inner');
        const inner = { ...at, workTree: join(at.workTree, 'lib') };
        git(inner, '-c', 'advice.addEmbeddedRepo=false', 'add', 'inner');
        git(inner, 'commit', '-q', '-m', 'with inner');
        writeIn(at, 'lib/inner/l.txt');
      },
    },
    'in a submodule, between the signs of ident': {
      path: 'lib/l.txt',
      holds: 'lib $Id: work $\n',
      leftOut: { path: 'lib', reason: 'submodule' },
      plant: (at) => {
        git(at, 'clone', '-q', fixture.path('lib'), 'lib');
        const inner = { ...at, workTree: join(at.workTree, 'lib') };
        writeIn(inner, 'l.txt', 'lib $Id$\n');
        git(inner, 'commit', '-q', '-a', '-m', 'id');
        writeFileSync(join(inner.workTree, '.git/info/attributes'), 'l.txt ident\n');
        writeIn(inner, 'l.txt', 'lib $Id: work $\n');
      },
    },
  };

  for (const [where, { plant, path, holds = 'work\n', leftOut }] of someOf(Object.entries(hidings), 0, 6)) {
    it(`${where} is in the round or named by it, changes the review status, is not removed, and is kept`, async () => {
      const at = await worktree();
      const before = await treeOf(at);
      plant(at);
      const held = (rev: string) => git(at, 'cat-file', 'blob', `${rev}:${path}`).toString();
      const round = await cutRound(at, { ref: 'refs/muster/rounds/agt_1/1', settled: false });
      if (leftOut === undefined) {
        expect(held(round.snapshotSha), 'the round').to.equal(holds);
        expect(await treeOf(at), 'the standing')
          .to.equal(round.treeSha)
          .and.to.not.equal(before);
      } else expect(round.leftOut, 'the round').to.deep.include(leftOut);
      const refused = await removeWorktree({ ...order(), agentId: 'agt_1', force: false });
      expect(refused.removed, 'removal').to.equal(false);
      if (refused.removed) return;
      const shown = leftOut?.path.split('/')[0] ?? path;
      expect(refused.reasons.join('\n')).to.contain(shown);
      const forced = await removeWorktree({ ...order(), agentId: 'agt_1', force: true });
      expect(forced.removed, JSON.stringify(forced)).to.equal(true);
      const kept = { ...at, workTree: repository };
      expect(git(kept, 'cat-file', 'blob', `refs/muster/kept/agt_1:${path}`).toString(), 'kept').to.equal(holds);
    });
  }

  it('with a name that git cannot store is not removed by force', async () => {
    const at = await worktree();
    const names = ['mine/.git/notes.txt', 'other/.GIT/notes.txt'];
    for (const name of names) {
      writeIn(at, name);
      for (const force of [false, true]) {
        const removal = await removeWorktree({ ...order(), agentId: 'agt_1', force });
        expect(removal).to.have.property('reasons').that.match(/\.git/i);
      }
      expect(existsSync(join(at.workTree, name))).to.equal(true);
      rmSync(join(at.workTree, dirname(name)), { recursive: true });
    }
    const pointer = await removeWorktree({ ...order(), agentId: 'agt_1', force: false });
    expect(pointer.removed, JSON.stringify(pointer)).to.equal(true);
  });

  it('a submodule that is not checked out, and a clean one, count as before', async () => {
    const at = await worktree();
    mkdirSync(join(at.workTree, 'lib'), { recursive: true });
    const committed = git(at, 'rev-parse', 'HEAD^{tree}').toString().trim();
    expect(await treeOf(at)).to.equal(committed);
    git(at, '-c', 'protocol.file.allow=always', 'submodule', 'update', '-q', '--init');
    const round = await cutRound(at, { ref: 'refs/muster/rounds/agt_1/1', settled: false });
    expect([round.treeSha, round.leftOut]).to.deep.equal([committed, []]);
    rmSync(join(at.workTree, 'lib'), { recursive: true });
    mkdirSync(join(at.workTree, 'lib'));
    expect((await removeWorktree({ ...order(), agentId: 'agt_1', force: false })).removed).to.equal(true);
  });

  it('git’s own ident text, and an encoding that it converts back, are no changes', async () => {
    const at = await worktree();
    writeIn(at, '.gitattributes', 'id.txt ident\n*.rc working-tree-encoding=UTF-16LE\n');
    writeIn(at, 'w.rc', Buffer.from('wide\n', 'utf16le'));
    git(at, 'add', '-A');
    git(at, 'commit', '-q', '-m', 'wide');
    rmSync(join(at.workTree, 'id.txt'));
    git(at, 'checkout', 'id.txt');
    const found = await inspectWorktree(order());
    expect(found).nested.property('facts.changed').deep.equal([]);
    expect(await treeOf(at)).to.equal(git(at, 'rev-parse', 'HEAD^{tree}').toString().trim());
    git(at, 'config', 'core.autocrlf', 'true');
    writeIn(at, 'w.rc', Buffer.from('wide\r\n', 'utf16le'));
    expect(await inspectWorktree(order()), 'line ends')
      .nested.property('facts.changed')
      .deep.equal([]);
    expect(await treeOf(at)).to.equal(git(at, 'rev-parse', 'HEAD^{tree}').toString().trim());
    writeIn(at, 'w.rc', 'narrow');
    expect(await inspectWorktree(order()))
      .nested.property('facts.changed')
      .deep.equal(['w.rc']);
  });
});
