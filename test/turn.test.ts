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
  const git = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
      cwd: folder.path,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });

  it('is the one that a person names', () => {
    expect(turnOf('12', folder.path)).to.equal(12);
    expect(turnOf('-12', folder.path)).to.equal(12);
  });

  it('is that of the day of the commit', () => {
    git(['init', '-q']);
    const turns = ['1970-01-03T00:00:00Z', '1970-01-03T23:59:59Z', '1970-01-04T00:00:00Z'].map((date) => {
      git(['commit', '-q', '--allow-empty', '-m', 'one'], { GIT_COMMITTER_DATE: date });
      return turnOf(undefined, folder.path);
    });
    expect(turns).to.deep.equal([2, 2, 3]);
  });

  it('is 0 where there is no commit', () => {
    git(['init', '-q']);
    expect(turnOf(undefined, folder.path)).to.equal(0);
  });
});
