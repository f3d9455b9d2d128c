import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { git } from '#world/git/repository/git.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { GitError } from '#world/git/repository/git-error.ts';
import { commitsOf } from '#world/git/repository/repository.ts';
import { findProcess } from '#world/process/process-tree.ts';
import { GitFixture } from '../git-fixture.ts';

async function errorOf(promise: Promise<unknown>): Promise<GitError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GitError)) throw new Error(`expected a GitError, got ${error}`);
  return error;
}

describe('git/git', () => {
  let fixture: GitFixture;
  const path = process.env['PATH'];
  beforeEach(() => {
    fixture = new GitFixture();
  });
  afterEach(() => {
    process.env['PATH'] = path;
    fixture.dispose();
  });

  /** Puts a program named git before the real one. */
  function fakeGit(script: string): void {
    fixture.write('bin/git', `#!/bin/sh\n${script}\n`, 0o755);
    process.env['PATH'] = `${fixture.path('bin')}:${path}`;
  }

  it('reads the commits of several revisions in one call', async () => {
    fixture.repository('r');
    fixture.git('r', 'tag', '-m', 'one', 'v1');
    const commit = fixture.git('r', 'rev-parse', 'HEAD');
    const at = await findGitDirectory(fixture.path('r'));
    if (at === undefined) throw new Error('there is no repository');
    const revisions = ['refs/heads/none', 'v1', 'main\nmain', 'HEAD^{tree}', 'HEAD', '', commit.slice(0, 7)];
    expect(await commitsOf(at, revisions)).to.deep.equal([
      undefined,
      commit,
      undefined,
      undefined,
      commit,
      undefined,
      commit,
    ]);
  });

  it('returns raw bytes and passes arguments unchanged', async () => {
    fakeGit('printf "\\377%s|" "$@"');
    const { stdout } = await git(['a b', '$(id)', '', '*']);
    expect(stdout.toString('latin1')).to.equal('\xffa b|\xff$(id)|\xff|\xff*|');
  });

  it('builds its environment from scratch', async () => {
    process.env['GIT_DIR'] = '/nowhere';
    process.env['SECRET_TOKEN'] = 'secret';
    try {
      fakeGit('env');
      const { stdout } = await git(['version'], { env: { EXTRA: 'yes' } });
      const names = stdout
        .toString()
        .split('\n')
        .map((line) => line.split('=')[0]);
      expect(names).to.include.members(['PATH', 'HOME', 'GIT_CONFIG_NOSYSTEM', 'GIT_NO_LAZY_FETCH', 'EXTRA']);
      expect(names).to.not.include.members(['SECRET_TOKEN']).and.not.include('GIT_DIR');
    } finally {
      delete process.env['GIT_DIR'];
      delete process.env['SECRET_TOKEN'];
    }
  });

  it('ignores the person’s configuration', async () => {
    fixture.repository('r');
    const home = process.env['HOME'];
    process.env['HOME'] = fixture.home;
    try {
      const { stdout } = await git(['config', '--list', '--show-origin'], { cwd: fixture.path('r') });
      expect(stdout.toString()).to.not.contain('ann@example.com');
    } finally {
      process.env['HOME'] = home;
    }
  });

  it('writes standard input and closes it, even if git does not read it', async () => {
    const { stdout } = await git(['hash-object', '--stdin'], { input: 'hello\n' });
    expect(stdout.toString().trim()).to.equal('ce013625030ba8dba906f756967f9e9ca394464a');
    fakeGit('exit 0');
    await git(['x'], { input: Buffer.alloc(4 * 1024 * 1024) });
  });

  it('throws git’s message, without the secrets of an address', async () => {
    const url = 'https://user:ghp_TOKEN@github.invalid/o/r';
    fakeGit(`echo "fatal: unable to access '${url}'" >&2; exit 128`);
    const error = await errorOf(git(['-c', 'x=y', 'fetch', url]));
    expect(error).to.include({ trouble: 'exit', exitCode: 128, code: 'internal' });
    expect(error.message).to.match(/^git fetch failed with exit code 128: fatal/);
    expect(JSON.stringify([error.message, error.args, error.stderrTail]))
      .to.not.contain('TOKEN')
      .and.not.contain('user');
  });

  it('accepts named exit codes as answers', async () => {
    fakeGit('exit 1');
    expect((await git(['x'], { exitCodes: [0, 1] })).exitCode).to.equal(1);
    expect((await errorOf(git(['x'], { exitCodes: [0, 2] }))).exitCode).to.equal(1);
  });

  it('kills git with all of its processes at the time limit', async () => {
    fakeGit(`sh -c "trap '' TERM; echo \\$\\$ > ${fixture.path('pid')}; while :; do sleep 0.05; done" & sleep 30`);
    const error = await errorOf(git(['x'], { timeoutMs: 1_000 }));
    expect(error).to.include({ trouble: 'timeout', code: 'deadline_exceeded' });
    const pid = Number(readFileSync(fixture.path('pid'), 'utf8'));
    await moment('its end', async () => (await findProcess(pid)) === undefined);
  });

  it('kills git at the output limit and on abort', async () => {
    fakeGit('yes');
    expect(await errorOf(git(['x'], { maxOutputBytes: 10_000 }))).to.include({ trouble: 'output' });
    const abort = new AbortController();
    const running = errorOf(git(['x'], { signal: abort.signal, maxOutputBytes: Number.MAX_SAFE_INTEGER }));
    abort.abort();
    expect(await running).to.include({ trouble: 'aborted', code: 'canceled' });
    expect(await errorOf(git(['x'], { signal: abort.signal }))).to.include({ trouble: 'aborted' });
  });

  it('reports that git cannot be started', async () => {
    process.env['PATH'] = fixture.path('bin');
    expect(await errorOf(git(['version']))).to.include({ trouble: 'start', code: 'failed_precondition' });
  });

  it('ends even if a leftover process holds its output', async () => {
    fakeGit('sleep 60 & echo $!');
    const started = performance.now();
    const { stdout } = await git(['x']);
    process.kill(Number(stdout.toString()), 'SIGKILL');
    expect(performance.now() - started).to.be.lessThan(10_000);
  });
}).timeout(60_000);
