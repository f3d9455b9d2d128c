import { mkdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { andEdited, asEdited, configured, edited, type SnapshotCase } from './snapshot-scene.ts';

/** Every state that a checkout's own files and index may be in; each must come out as it is on the disk. */
export const checkoutStates: readonly SnapshotCase[] = [
  { what: 'a clean checkout', holds: { 'a.txt': 'one\n', 'dir/c.txt': 'three\n' } },
  {
    what: 'staged and, on top, unstaged edits',
    edit: ({ write, git }) => {
      write('a.txt', 'staged\n');
      git('add', 'a.txt');
      write('a.txt', 'unstaged\n');
    },
    holds: { 'a.txt': 'unstaged\n' },
  },
  {
    what: 'untracked files, but not ignored ones',
    edit: andEdited((s) => s.write('x.log', 'log')),
    holds: { ...asEdited, 'x.log': undefined },
  },
  {
    what: 'deleted files, staged or not',
    edit: ({ git, path }) => {
      git('rm', '-q', 'a.txt');
      unlinkSync(path('b.txt'));
    },
    holds: { 'a.txt': undefined, 'b.txt': undefined, 'dir/c.txt': 'three\n' },
  },
  {
    what: 'a branch without commits',
    make: (fixture) => {
      mkdirSync(fixture.path('u'));
      fixture.git('u', 'init', '-q');
      return 'u';
    },
    edit: ({ write }) => write('a.txt', 'one\n'),
    holds: { 'a.txt': 'one\n' },
    unborn: true,
  },
  { what: 'a detached HEAD', edit: andEdited((s) => s.git('checkout', '-q', '--detach')), holds: asEdited },
  {
    what: 'a file that is only intended to be added',
    edit: ({ write, git }) => {
      write('new.txt', 'new\n');
      git('add', '--intent-to-add', 'new.txt');
    },
    holds: { 'new.txt': 'new\n' },
  },
  {
    what: 'an ignored file that was added by force',
    edit: ({ write, git }) => {
      write('kept.log', 'log\n');
      git('add', '-f', 'kept.log');
      write('kept.log', 'more\n');
    },
    holds: { 'kept.log': 'more\n' },
  },
  {
    what: 'a file that was removed from the index alone',
    edit: ({ git }) => git('rm', '-q', '--cached', 'a.txt'),
    holds: { 'a.txt': 'one\n' },
  },
  {
    what: 'edits hidden by assume-unchanged',
    edit: ({ write, git }) => {
      git('update-index', '--assume-unchanged', 'a.txt');
      write('a.txt', 'hidden\n');
    },
    holds: { 'a.txt': 'hidden\n' },
  },
  {
    what: 'edits hidden by skip-worktree',
    edit: ({ write, git }) => {
      git('update-index', '--skip-worktree', 'a.txt');
      write('a.txt', 'hidden\n');
    },
    holds: { 'a.txt': 'hidden\n' },
  },
  {
    what: 'an index of version 4',
    make: configured(['index.version', '4']),
    edit: andEdited((s) => s.git('update-index', '--force-write-index')),
    holds: asEdited,
  },
  {
    what: 'a split index',
    make: configured(['core.splitIndex', 'true']),
    edit: (s) => {
      s.git('update-index', '--split-index');
      s.write('s.txt', 's\n');
      s.git('add', 's.txt');
      edited(s);
    },
    holds: { ...asEdited, 's.txt': 's\n' },
  },
  {
    what: 'an untracked cache',
    make: configured(['core.untrackedCache', 'true']),
    edit: andEdited((s) => s.git('status')),
    holds: asEdited,
  },
  {
    what: 'a sparse checkout',
    edit: (s) => {
      s.git('sparse-checkout', 'set', '--no-cone', '/a.txt', '/b.txt', '/.gitignore');
      edited(s);
    },
    holds: { ...asEdited, 'dir/c.txt': 'three\n' },
  },
  {
    what: 'a sparse index',
    edit: (s) => {
      s.git('sparse-checkout', 'set', '--cone', '--sparse-index');
      edited(s);
    },
    holds: { ...asEdited, 'dir/c.txt': 'three\n' },
  },
  {
    what: 'an unmerged index',
    edit: ({ git, write }) => {
      git('checkout', '-q', '-b', 'side');
      write('a.txt', 'side\n');
      git('commit', '-qam', 'side');
      git('checkout', '-q', 'main');
      write('a.txt', 'main\n');
      git('commit', '-qam', 'main');
      fails(() => git('merge', '-q', 'side'));
    },
    holds: { 'a.txt': '<<<<<<< HEAD\nmain\n=======\nside\n>>>>>>> side\n' },
  },
  {
    what: 'a stopped rebase',
    edit: ({ git, write }) => {
      git('checkout', '-q', '-b', 'side');
      write('a.txt', 'side\n');
      git('commit', '-qam', 'side');
      git('checkout', '-q', 'main');
      write('a.txt', 'main\n');
      git('commit', '-qam', 'main');
      fails(() => git('rebase', '-q', 'main', 'side'));
      write('a.txt', 'resolved\n');
    },
    holds: { 'a.txt': 'resolved\n' },
  },
  {
    what: 'pipes, which are no files',
    edit: (s) => {
      s.fixture.git(s.name, '-c', 'alias.pipe=!mkfifo pipe', 'pipe');
      edited(s);
    },
    holds: { ...asEdited, pipe: undefined },
  },
  {
    what: 'links that lead nowhere or far away',
    edit: ({ path }) => {
      symlinkSync('/nowhere/at/all', path('dangling'));
      symlinkSync('/etc/passwd', path('absolute'));
    },
    holds: {
      dangling: { mode: '120000', content: '/nowhere/at/all' },
      absolute: { mode: '120000', content: '/etc/passwd' },
    },
  },
  {
    what: 'a folder that was replaced by a link',
    edit: ({ path }) => {
      rmSync(path('dir'), { recursive: true });
      symlinkSync('/etc', path('dir'));
    },
    holds: { dir: { mode: '120000', content: '/etc' }, 'dir/c.txt': undefined },
  },
  {
    what: 'a folder that became a file, and a file that became a folder',
    edit: ({ path, write }) => {
      rmSync(path('dir'), { recursive: true });
      write('dir', 'file\n');
      unlinkSync(path('a.txt'));
      write('a.txt/inner', 'inner\n');
    },
    holds: { dir: 'file\n', 'a.txt/inner': 'inner\n', 'dir/c.txt': undefined },
  },
];

function fails(work: () => unknown): void {
  try {
    work();
  } catch {
    return;
  }
  throw new Error('this was to fail');
}
