import { chmodSync, mkdirSync, renameSync, truncateSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitFixture } from '../git-fixture.ts';
import { asEdited, configured, edited, plain, plainRepository, type SnapshotCase } from './snapshot-scene.ts';

/** Every kind of repository and of content that is unlike the plain one. */
export const repositoryKinds: readonly SnapshotCase[] = [
  {
    what: 'a submodule with work of its own: the commit that it is at',
    make: withSubmodule,
    edit: ({ write }) => write('lib/l.txt', 'dirty\n'),
    holds: { lib: { mode: '160000' } },
    leftOut: [{ path: 'lib', reason: 'submodule' }],
  },
  {
    what: 'a repository that borrows its objects',
    make: (fixture) => {
      fixture.git('.', 'clone', '-q', '--shared', plainRepository(fixture), 'shared');
      return 'shared';
    },
    edit: edited,
    holds: asEdited,
  },
  {
    what: 'a shallow history',
    make: (fixture) => {
      const name = plainRepository(fixture);
      fixture.commit(name, 'second');
      fixture.git('.', 'clone', '-q', '--depth=1', `file://${fixture.path(name)}`, 'shallow');
      return 'shallow';
    },
    edit: edited,
    holds: asEdited,
  },
  {
    what: 'names of sha256',
    make: (fixture) => {
      mkdirSync(fixture.path('s'));
      fixture.git('s', 'init', '-q', '--object-format=sha256');
      for (const [path, content] of Object.entries(plain)) fixture.write(join('s', path), content);
      fixture.commit('s', 'first');
      return 's';
    },
    edit: edited,
    holds: asEdited,
  },
  {
    what: 'line ends that git converts',
    make: configured(['core.autocrlf', 'true']),
    edit: ({ write }) => {
      write('a.txt', 'one\r\nmore\r\n');
      write('.gitattributes', '*.bat eol=crlf\n');
      write('run.bat', 'rem\r\n');
    },
    holds: { 'a.txt': 'one\nmore\n', 'run.bat': 'rem\n' },
  },
  {
    what: 'what stands where git expands keywords',
    edit: ({ write }) => {
      write('.gitattributes', '*.id ident\n');
      write('x.id', '$Id: anything $\n');
    },
    holds: { 'x.id': '$Id: anything $\n' },
  },
  {
    what: 'a repository inside, with commits',
    edit: (s) => {
      s.fixture.repository(join(s.name, 'inner'));
      edited(s);
    },
    holds: { ...asEdited, inner: undefined, 'inner/a.txt': undefined },
    leftOut: [{ path: 'inner', reason: 'repository' }],
  },
  {
    what: 'a repository inside, without commits',
    edit: (s) => {
      mkdirSync(s.path('inner'));
      s.git('-C', 'inner', 'init', '-q');
      s.write('inner/x', 'x');
      edited(s);
    },
    holds: { ...asEdited, inner: undefined, 'inner/x': undefined },
    leftOut: [{ path: 'inner', reason: 'repository' }],
  },
  {
    what: 'other worktrees inside',
    edit: (s) => {
      s.git('worktree', 'add', '-q', '.wt/a');
      s.git('worktree', 'add', '-q', '.claude/worktrees/x');
      edited(s);
    },
    holds: { ...asEdited, '.wt/a': undefined, '.claude/worktrees/x/a.txt': undefined },
    leftOut: [
      { path: '.claude/worktrees/x', reason: 'repository' },
      { path: '.wt/a', reason: 'repository' },
    ],
  },
  {
    what: 'a broken index',
    edit: (s) => {
      edited(s);
      writeFileSync(s.path('.git/index'), 'no index');
    },
    holds: asEdited,
  },
  {
    what: 'a missing index',
    edit: (s) => {
      edited(s);
      unlinkSync(s.path('.git/index'));
    },
    holds: asEdited,
  },
  {
    what: 'an index that another git is writing',
    edit: (s) => {
      edited(s);
      s.write('.git/index.lock', '');
    },
    holds: asEdited,
  },
  {
    what: 'an edit of the same length in the moment in which it was added',
    make: configured(['core.trustctime', 'false']),
    edit: ({ write, git, path }) => {
      // As if all of it had been within the second that both files report.
      const then = 1_700_000_000;
      for (const content of ['abc\n', 'xyz\n']) {
        write('a.txt', content);
        utimesSync(path('a.txt'), then, then);
        if (content === 'abc\n') git('add', 'a.txt');
      }
      utimesSync(path('.git/index'), then, then);
    },
    holds: { 'a.txt': 'xyz\n' },
  },
  {
    what: 'names that look like options, patterns and nothing at all',
    edit: ({ write, path }) => {
      write('--output=x', 'o\n');
      write(':(top)x', 't\n');
      write('--', 'd\n');
      write('line\nend', 'n\n');
      writeFileSync(Buffer.concat([Buffer.from(`${path('')}`), Buffer.from([0xff, 0xfe])]), 'bytes\n');
    },
    holds: { '--output=x': 'o\n', ':(top)x': 't\n', '--': 'd\n', 'line\nend': 'n\n' },
  },
  {
    what: 'an executable bit, and a file that was renamed',
    edit: ({ path }) => {
      chmodSync(path('a.txt'), 0o755);
      renameSync(path('b.txt'), path('moved.txt'));
    },
    holds: { 'a.txt': { mode: '100755', content: 'one\n' }, 'b.txt': undefined, 'moved.txt': 'two\n' },
  },
  {
    what: 'files too large for anybody to review',
    edit: (s) => {
      edited(s);
      truncateSync(s.write('huge.bin', ''), 20_000_001);
      truncateSync(s.path('b.txt'), 20_000_001);
    },
    holds: { 'a.txt': 'changed\n', 'b.txt': 'two\n', 'huge.bin': undefined },
    leftOut: [
      { path: 'b.txt', reason: 'large', bytes: 20_000_001 },
      { path: 'huge.bin', reason: 'large', bytes: 20_000_001 },
    ],
  },
];

function withSubmodule(fixture: GitFixture): string {
  const name = plainRepository(fixture);
  fixture.repository('lib', { 'l.txt': 'lib\n' });
  fixture.git(name, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', fixture.path('lib'), 'lib');
  fixture.commit(name, 'with lib');
  return name;
}
