import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { someOf } from '#test/support/some-of.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { inspectWorktree, type WorktreeFacts } from '#world/git/worktree/worktree-inspection.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';
import { GitFixture } from '../git-fixture.ts';

/**
 * Makes a repository of a kind below the fixture's root and returns its folder's name. Each holds `a.txt` and
 * `b.txt`.
 */
const kinds: Readonly<Record<string, (fixture: GitFixture) => string>> = {
  'with sha256 names': (fixture) => {
    mkdirSync(fixture.path('r'));
    fixture.git('r', 'init', '-q', '--object-format=sha256');
    return filled(fixture, 'r');
  },
  'with a path full of signs': (fixture) => {
    plain(fixture);
    renameSync(fixture.path('r'), fixture.path(`r "é":'; x`));
    return `r "é":'; x`;
  },
  'that borrows its objects': (fixture) => {
    plain(fixture);
    fixture.git('.', 'clone', '-q', '--shared', 'r', 'shared');
    return 'shared';
  },
  'with a shallow history': (fixture) => {
    plain(fixture);
    fixture.git('.', 'clone', '-q', '--depth=1', `file://${fixture.path('r')}`, 'shallow');
    return 'shallow';
  },
  'that is bare': (fixture) => {
    plain(fixture);
    fixture.git('.', 'clone', '-q', '--bare', 'r', 'bare.git');
    return 'bare.git';
  },
  'with line ends of another system': (fixture) => {
    plain(fixture);
    fixture.git('r', 'config', 'core.autocrlf', 'true');
    fixture.write('r/.gitattributes', '*.bat eol=crlf\n');
    fixture.write('r/run.bat', 'rem\r\n');
    fixture.commit('r', 'attributes');
    return 'r';
  },
  'with an index of version 4': (fixture) => configured(fixture, 'index.version', '4'),
  'with a split index': (fixture) => configured(fixture, 'core.splitIndex', 'true'),
  'with an untracked cache': (fixture) => configured(fixture, 'core.untrackedCache', 'true'),
  'with settings for each worktree': (fixture) => configured(fixture, 'extensions.worktreeConfig', 'true'),
};

function filled(fixture: GitFixture, name: string): string {
  fixture.write(join(name, 'a.txt'), 'one\n');
  fixture.write(join(name, 'b.txt'), 'two\n');
  fixture.commit(name, 'first');
  fixture.commit(name, 'second');
  return name;
}

function plain(fixture: GitFixture): string {
  fixture.repository('r');
  return filled(fixture, 'r');
}

function configured(fixture: GitFixture, key: string, value: string): string {
  plain(fixture);
  fixture.git('r', 'config', key, value);
  return 'r';
}

describe('git worktrees of a repository', () => {
  let fixture: GitFixture;
  beforeEach(() => {
    fixture = new GitFixture();
  });
  afterEach(() => fixture.dispose());

  for (const [kind, make] of someOf(Object.entries(kinds), 2, 5)) {
    it(kind, async () => {
      const repository = fixture.path(make(fixture));
      const order = {
        repository,
        path: fixture.path('w', 'o "ne'),
        branch: 'muster/one-1',
        agentId: 'agt_1',
        force: false,
      };
      const facts = async (): Promise<WorktreeFacts | undefined> => {
        const index = join(fixture.git('w/o "ne', 'rev-parse', '--absolute-git-dir'), 'index');
        const before = readFileSync(index);
        const found = await inspectWorktree(order);
        expect(readFileSync(index).equals(before)).to.equal(true);
        return found.state === 'present' ? found.facts : undefined;
      };
      await addWorktree({ ...order, reason: 'muster 1' });
      expect(fixture.git('w/o "ne', 'status', '--porcelain')).to.equal('');
      expect(await facts()).to.deep.include({ changed: [], untracked: [], unheldCommits: 0 });
      fixture.git('w/o "ne', 'update-index', '--force-write-index');
      fixture.write('w/o "ne/a.txt', 'changed\n');
      fixture.write('w/o "ne/new.txt', 'new\n');
      fixture.git('w/o "ne', 'add', '--intent-to-add', 'new.txt');
      expect(await facts()).to.deep.include({ changed: ['a.txt', 'new.txt'], untracked: [] });
      expect((await removeWorktree(order)).removed).to.equal(false);
      expect(await removeWorktree({ ...order, force: true })).to.deep.equal({ removed: true, branchDeleted: true });
      const kept = (path: string): string =>
        fixture.git('.', '-C', repository, 'show', `refs/muster/kept/agt_1:${path}`);
      expect([kept('a.txt'), kept('b.txt'), kept('new.txt')]).to.deep.equal(['changed', 'two', 'new']);
    });
  }
}).timeout(60_000);
