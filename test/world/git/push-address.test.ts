import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { pushWebUrl } from '#world/git/remote/push-address.ts';
import { readConfigFile } from '#world/git/repository/config-file.ts';
import { GitFixture } from '../git-fixture.ts';

describe('git/push-address', () => {
  const { HOME: home, XDG_CONFIG_HOME: configHome } = process.env;
  let fixture: GitFixture;
  beforeEach(() => {
    fixture = new GitFixture();
    process.env['HOME'] = fixture.home;
    delete process.env['XDG_CONFIG_HOME'];
  });
  afterEach(() => {
    process.env['HOME'] = home;
    if (configHome !== undefined) process.env['XDG_CONFIG_HOME'] = configHome;
    fixture.dispose();
  });

  const pushed = (config: string): Promise<string | undefined> => pushWebUrl(fixture.write('config', config));

  it('uses the push address, else the address, else nothing', async () => {
    const origin = '[remote "origin"]\n\turl = https://example.org/a/b\n';
    expect(await pushed(`${origin}\tpushurl = "git@example.org:c/d.git" ; ours\n`)).to.equal('https://example.org/c/d');
    expect(await pushed(origin)).to.equal('https://example.org/a/b');
    expect(await pushed('[remote "upstream"]\n\turl = https://example.org/a/b\n')).to.equal(undefined);
    expect(await pushWebUrl(fixture.path('absent'))).to.equal(undefined);
  });

  it('applies rewrites of person and repository, the longest prefix, and push rewrites first', async () => {
    fixture.write('home/.gitconfig', '[url "https://github.com/"]\n\tinsteadOf = gh:\n\tinsteadOf = hub:\n');
    expect(await pushed('[remote "origin"]\n\turl = gh:owner/repo\n')).to.equal('https://github.com/owner/repo');
    fixture.write('home/.config/git/config', '[url "git@mirror.example:x/"]\n\tinsteadOf = gh:owner/\n');
    expect(await pushed('[remote "origin"]\n\turl = gh:owner/repo\n')).to.equal('https://mirror.example/x/repo');
    const push = '[url "ssh://git@push.example/"]\n\tpushInsteadOf = https://github.com/\n';
    expect(await pushed(`${push}[remote "origin"]\n\turl = https://github.com/o/r\n`)).to.equal(
      'https://push.example/o/r',
    );
    const pushurl = `${push}[remote "origin"]\n\turl = x\n\tpushurl = https://github.com/o/r\n`;
    expect(await pushed(pushurl)).to.equal('https://github.com/o/r');
  });

  it('resolves an ssh alias without running a program', async () => {
    const canary = fixture.path('canary');
    fixture.write(
      'home/.ssh/config',
      `Match exec "touch ${canary}"\n  HostName evil.example\nHost github.com-work gh-?\n  User git\n  HostName github.com\nHost *.corp !no.corp\n  HostName=%h.example\n`,
    );
    const of = (url: string): Promise<string | undefined> => pushed(`[remote "origin"]\n\turl = ${url}\n`);
    expect(await of('git@github.com-work:o/r.git')).to.equal('https://github.com/o/r');
    expect(await of('ssh://git@gh-1/o/r.git')).to.equal('https://github.com/o/r');
    expect(await of('git@git.corp:o/r.git')).to.equal('https://git.corp.example/o/r');
    expect(await of('git@no.corp:o/r.git')).to.equal('https://no.corp/o/r');
    expect(await of('git@plain.example:o/r.git')).to.equal('https://plain.example/o/r');
    expect(() => execFileSync('ls', [canary], { stdio: 'ignore' })).to.throw();
  });

  it('reads configuration as git does', async () => {
    const path = fixture.write(
      'config',
      '; a comment\n[Remote "a.b"] # more\n  URL = "x # y" z ; end\n[url "with \\"quotes\\" and \\\\"]\n\tinsteadOf = q\n[core]\n\tbare\n',
    );
    const git = (key: string): string =>
      execFileSync('git', ['config', '--file', path, '--get', key], { encoding: 'utf8' }).trimEnd();
    const config = await readConfigFile(path);
    for (const key of ['remote.a.b.url', 'url.with "quotes" and \\.insteadof']) {
      expect(await config.values(key), key).to.deep.equal([git(key)]);
    }
    expect(config.subsections('url')).to.deep.equal(['with "quotes" and \\']);
    expect(config.subsections('remote')).to.deep.equal(['a.b']);
  });
}).timeout(60_000);
