import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from './support/temporary-folder.ts';
import { turnOf } from './turn.ts';

describe('the turn of a run', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('turn');
  });
  afterEach(() => folder.remove());
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
      cwd: folder.path,
      stdio: 'ignore',
    });

  it('is the one that a person names', () => {
    expect(turnOf('12', folder.path)).to.equal(12);
  });

  it('is that of the commit, and of no other', () => {
    git('init', '-q');
    const turns = ['one', 'two'].map((message) => {
      git('commit', '-q', '--allow-empty', '-m', message);
      return turnOf(undefined, folder.path);
    });
    expect(new Set(turns).size).to.equal(2);
    expect(turnOf(undefined, folder.path)).to.equal(turns[1]);
  });

  it('is 0 where there is no commit', () => {
    git('init', '-q');
    expect(turnOf(undefined, folder.path)).to.equal(0);
  });
});
