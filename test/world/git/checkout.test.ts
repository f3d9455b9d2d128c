import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readCheckout } from '#world/git/checkout/checkout.ts';
import { remoteWebUrls } from '#world/git/remote/push-address.ts';
import { GitFixture } from '../git-fixture.ts';

/** Every file below a folder with its size and times, so that a write of any kind shows. */
function traces(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const stats = statSync(join(dir, name));
      return `${name} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
    })
    .sort();
}

describe('git/checkout', () => {
  let fixture: GitFixture;
  beforeEach(() => {
    fixture = new GitFixture();
  });
  afterEach(() => fixture.dispose());

  it('reads branch, commit and address in the root, in a subfolder and through a symbolic link', async () => {
    const repository = fixture.repository('r', { 'a/b/c.txt': 'x' });
    fixture.git('r', 'remote', 'add', 'origin', 'https://user:TOKEN@github.com/owner/repo.git');
    const expected = {
      gitDir: join(repository, '.git'),
      commonDir: join(repository, '.git'),
      branch: 'main',
      headSha: fixture.git('r', 'rev-parse', 'HEAD'),
      repositoryUrl: 'https://github.com/owner/repo',
      sequenceInProgress: false,
    };
    expect(await readCheckout(repository)).to.deep.equal(expected);
    expect(await readCheckout(join(repository, 'a/b'))).to.deep.equal(expected);
    execFileSync('ln', ['-s', repository, fixture.path('link')]);
    expect(await readCheckout(fixture.path('link'))).to.deep.equal(expected);
  });

  it('accepts only valid names of branches', async () => {
    fixture.repository('r');
    const branchOf = async (head: string): Promise<string | undefined> => {
      writeFileSync(fixture.path('r/.git/HEAD'), `ref: refs/heads/${head}\n`);
      return (await readCheckout(fixture.path('r')))?.branch;
    };
    const names = ['feature/größe', 'a-b_c.d@e+f#1', 'x'.repeat(200), 'main'];
    for (const name of names) expect(await branchOf(name), name).to.equal(name);
    const others = [
      'x'.repeat(60_000),
      'a b',
      'run\u001b[2J',
      'a..b',
      'a//b',
      'a/',
      '.a',
      'a.lock',
      'a:b',
      '@{u}',
      'a?',
      'é/'.repeat(300),
    ];
    for (const text of others) expect(await branchOf(text), text.slice(0, 20)).to.equal(undefined);
  });

  it('reads a linked worktree, with packed references too', async () => {
    fixture.repository('r');
    fixture.git('r', 'remote', 'add', 'origin', 'git@github.com:owner/repo.git');
    fixture.git('r', 'worktree', 'add', '-q', '-b', 'feature/x', '../w');
    const head = fixture.commit('w', 'second');
    for (const step of ['loose', 'packed']) {
      if (step === 'packed') fixture.git('r', 'pack-refs', '--all');
      const found = await readCheckout(fixture.path('w'));
      expect(found, step).to.deep.equal({
        gitDir: fixture.path('r/.git/worktrees/w'),
        commonDir: fixture.path('r/.git'),
        branch: 'feature/x',
        headSha: head,
        repositoryUrl: 'https://github.com/owner/repo',
        sequenceInProgress: false,
      });
    }
  });

  it('finds a packed branch, and a symbolic one', async () => {
    const repository = fixture.repository('r');
    const first = fixture.git('r', 'rev-parse', 'HEAD');
    fixture.git('r', 'branch', 'main2');
    fixture.git('r', 'branch', 'a/main');
    const second = fixture.commit('r', 'second');
    fixture.git('r', 'pack-refs', '--all');
    expect((await readCheckout(repository))?.headSha).to.equal(second);
    fixture.git('r', 'checkout', '-q', 'main2');
    expect((await readCheckout(repository))?.headSha).to.equal(first);
    fixture.git('r', 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    fixture.git('r', 'symbolic-ref', 'HEAD', 'refs/heads/alias');
    expect(await readCheckout(repository)).to.include({ branch: 'alias', headSha: second });
  });

  it('reads a submodule, whose git directory is elsewhere', async () => {
    fixture.repository('lib');
    fixture.repository('r');
    fixture.git('r', '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', fixture.path('lib'), 'vendor/lib');
    const found = await readCheckout(fixture.path('r/vendor/lib'));
    expect(found?.gitDir).to.equal(fixture.path('r/.git/modules/vendor/lib'));
    expect(found?.headSha).to.equal(fixture.git('lib', 'rev-parse', 'HEAD'));
  });

  it('returns no branch on a detached HEAD and no commit on an unborn branch', async () => {
    const repository = fixture.repository('r');
    fixture.git('r', 'checkout', '-q', '--detach');
    const detached = await readCheckout(repository);
    expect(detached).to.not.have.property('branch');
    expect(detached?.headSha).to.equal(fixture.git('r', 'rev-parse', 'HEAD'));
    mkdirSync(fixture.path('new'));
    fixture.git('new', 'init', '-q');
    const unborn = await readCheckout(fixture.path('new'));
    expect(unborn?.branch).to.equal('main');
    expect(unborn).to.not.have.any.keys('headSha', 'repositoryUrl');
  });

  it('prefers the push address, and returns none if origin is not a forge', async () => {
    const repository = fixture.repository('r');
    fixture.git('r', 'remote', 'add', 'origin', 'https://github.com/upstream/repo');
    fixture.git('r', 'config', 'remote.origin.pushurl', 'git@github.com:fork/repo.git');
    expect((await readCheckout(repository))?.repositoryUrl).to.equal('https://github.com/fork/repo');
    fixture.git('r', 'config', '--unset', 'remote.origin.pushurl');
    for (const url of ['/srv/git/x.git', 'file:///srv/git/x.git', 'ext::sh -c x', '../other']) {
      fixture.git('r', 'config', 'remote.origin.url', url);
      expect(await readCheckout(repository), url).to.not.have.property('repositoryUrl');
    }
  });

  it('returns every repository of its remotes, each once, and only those of forges', async () => {
    const repository = fixture.repository('r');
    expect(await remoteWebUrls(join(repository, '.git'))).to.deep.equal([]);
    const config = (...args: string[]) => fixture.git('r', 'config', ...args);
    for (const [name, url] of [
      ['origin', 'https://user:TOKEN@github.com/fork/repo.git'],
      ['upstream', 'git@github.com:owner/repo.git'],
      ['again', 'ssh://git@ssh.github.com:443/owner/repo'],
      ['odd.name', 'work:team/tools'],
      ['local', '/srv/git/x.git'],
      ['helper', 'ext::sh -c x'],
    ] as const)
      fixture.git('r', 'remote', 'add', name, url);
    config('remote.upstream.pushurl', 'git@github.com:fork/pushed.git');
    config('--add', 'remote.origin.url', 'https://github.com/fork/mirror');
    config('url.https://gitlab.com/.insteadOf', 'work:');
    config('url.https://gitlab.com/writes/.pushInsteadOf', 'work:');
    expect((await remoteWebUrls(join(repository, '.git'))).toSorted()).to.deep.equal([
      'https://github.com/fork/mirror',
      'https://github.com/fork/pushed',
      'https://github.com/fork/repo',
      'https://github.com/owner/repo',
      'https://gitlab.com/team/tools',
      'https://gitlab.com/writes/team/tools',
    ]);
  });

  for (const way of ['merge', 'cherry-pick', 'revert', 'rebase', 'rebase --apply']) {
    it(`detects a ${way} in progress, and its end`, async () => {
      const repository = fixture.repository('r');
      fixture.git('r', 'checkout', '-q', '-b', 'other');
      fixture.write('r/a.txt', 'theirs\n');
      fixture.commit('r', 'theirs');
      fixture.git('r', 'checkout', '-q', 'main');
      fixture.write('r/a.txt', 'ours\n');
      fixture.commit('r', 'ours');
      const target = way === 'revert' ? 'HEAD~1' : 'other';
      const [command = '', ...options] = way.split(' ');
      expect(() => fixture.git('r', command, ...options, target)).to.throw();
      const during = await readCheckout(repository);
      expect(during?.sequenceInProgress).to.equal(true);
      expect(during?.branch).to.equal('main');
      fixture.git('r', command, '--abort');
      expect((await readCheckout(repository))?.sequenceInProgress).to.equal(false);
    });
  }

  it('reads repositories with SHA-256 names', async () => {
    mkdirSync(fixture.path('r'));
    fixture.git('r', 'init', '-q', '--object-format=sha256');
    fixture.write('r/a.txt', 'x');
    const head = fixture.commit('r', 'first');
    expect((await readCheckout(fixture.path('r')))?.headSha)
      .to.equal(head)
      .and.to.have.length(64);
    fixture.git('r', 'pack-refs', '--all');
    expect((await readCheckout(fixture.path('r')))?.headSha).to.equal(head);
  });

  it('returns undefined outside of a checkout, in a missing folder, and in a bare repository', async () => {
    const repository = fixture.repository('r');
    fixture.git('.', 'clone', '-q', '--bare', 'r', 'bare.git');
    expect(await readCheckout(fixture.path('home'))).to.equal(undefined);
    expect(await readCheckout(fixture.path('nowhere'))).to.equal(undefined);
    expect(await readCheckout(fixture.path('bare.git'))).to.equal(undefined);
    fixture.git('r', 'worktree', 'add', '-q', '../w');
    rmSync(join(repository, '.git/worktrees/w'), { recursive: true });
    expect(await readCheckout(fixture.path('w'))).to.equal(undefined);
  });

  it('writes nothing', async () => {
    const repository = fixture.repository('r');
    fixture.git('r', 'worktree', 'add', '-q', '../w');
    fixture.write('w/a.txt', 'dirty');
    const before = [...traces(repository), ...traces(fixture.path('w'))];
    await readCheckout(fixture.path('w'));
    await readCheckout(repository);
    expect([...traces(repository), ...traces(fixture.path('w'))]).to.deep.equal(before);
  });

  it('terminates even if git’s own files are pipes, cyclic, endless or invalid', async () => {
    const repository = fixture.repository('r');
    const branch = join(repository, '.git/refs/heads/main');
    writeFileSync(branch, 'ref: refs/heads/other\n');
    writeFileSync(join(repository, '.git/refs/heads/other'), 'ref: refs/heads/main\n');
    expect((await readCheckout(repository))?.headSha).to.equal(undefined);
    writeFileSync(branch, 'not a commit\n');
    expect((await readCheckout(repository))?.headSha).to.equal(undefined);
    rmSync(branch);
    execFileSync('mkfifo', [branch]);
    rmSync(join(repository, '.git/config'));
    execFileSync('mkfifo', [join(repository, '.git/config')]);
    const found = await readCheckout(repository);
    expect(found?.branch).to.equal('main');
    expect(found).to.not.have.any.keys('headSha', 'repositoryUrl');
    rmSync(join(repository, '.git/HEAD'));
    execFileSync('ln', ['-s', '/dev/zero', join(repository, '.git/HEAD')]);
    expect(await readCheckout(repository)).to.equal(undefined);
  });
}).timeout(60_000);
