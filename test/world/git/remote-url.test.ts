import { expect } from 'chai';
import fc from 'fast-check';
import { parseRemote, remoteWebUrl } from '#world/git/remote/remote-url.ts';

function webUrl(url: string): string | undefined {
  const remote = parseRemote(url);
  return remote === undefined ? undefined : remoteWebUrl(remote);
}

describe('git/remote-url', () => {
  const read: readonly (readonly [string, string])[] = [
    ['git@github.com:owner/repo.git', 'https://github.com/owner/repo'],
    ['github.com:owner/repo', 'https://github.com/owner/repo'],
    ['git@github.com:/owner/repo.git/', 'https://github.com/owner/repo'],
    ['ssh://git@github.com/owner/repo.git', 'https://github.com/owner/repo'],
    ['ssh://git@github.com:22/owner/repo.git', 'https://github.com/owner/repo'],
    ['ssh://git@git.example.org:2222/group/sub/repo.git', 'https://git.example.org/group/sub/repo'],
    ['ssh://git@ssh.github.com:443/owner/repo.git', 'https://github.com/owner/repo'],
    ['git@altssh.gitlab.com:group/repo.git', 'https://gitlab.com/group/repo'],
    ['ssh://git@altssh.bitbucket.org:443/team/repo', 'https://bitbucket.org/team/repo'],
    ['git+ssh://git@github.com/owner/repo', 'https://github.com/owner/repo'],
    ['https://github.com/owner/repo.git', 'https://github.com/owner/repo'],
    ['https://GitHub.com/Owner/Repo', 'https://github.com/Owner/Repo'],
    ['https://user:TOKEN@github.com/owner/repo.git?x=1#y', 'https://github.com/owner/repo'],
    ['https://x-access-token:ghp_abc@github.com/owner/repo', 'https://github.com/owner/repo'],
    ['https://git.example.org:8443/owner/repo.git/', 'https://git.example.org:8443/owner/repo'],
    ['https://git.example.org:443/owner/repo', 'https://git.example.org/owner/repo'],
    ['http://github.com/owner/repo', 'https://github.com/owner/repo'],
    ['http://localhost:3000/owner/repo.git', 'http://localhost:3000/owner/repo'],
    ['git://git.example.org:9418/owner/repo.git', 'https://git.example.org/owner/repo'],
    ['git@gitlab.com:a/b/c/d.git', 'https://gitlab.com/a/b/c/d'],
    ['git@[2001:db8::1]:owner/repo.git', 'https://[2001:db8::1]/owner/repo'],
  ];
  for (const [url, expected] of read) {
    it(`reads ${url}`, () => expect(webUrl(url)).to.equal(expected));
  }

  const refused = [
    '',
    '/srv/git/repo.git',
    './repo',
    '../repo',
    'repo',
    '~/repo',
    'C:\\repo\\x',
    'file:///srv/git/repo.git',
    'ext::sh -c touch% /tmp/x',
    'ext::sh',
    '--upload-pack=touch',
    '-oProxyCommand=x:owner/repo',
    'ssh://-oProxyCommand=x/owner/repo',
    'git@-host:owner/repo',
    'git@github.com:repo',
    'https://github.com/repo',
    'https://github.com/',
    'https:///owner/repo',
    'https://github.com/owner/../repo',
    'https://github.com/./owner',
    'git@github.com:owner//repo',
    'git@github.com:~owner/repo',
    'ftp://example.org/owner/repo',
    'https://github.com/owner/re\npo',
    'git@github.com:owner/re po',
    'javascript://x/a/b',
    'https://exa$mple.org/owner/repo',
    '0:owner/repo',
    'git@0x7f.1:owner/repo',
    `https://github.com/owner/${'x'.repeat(3000)}`,
  ];
  for (const url of refused) {
    it(`refuses ${JSON.stringify(url).slice(0, 60)}`, () => expect(webUrl(url)).to.equal(undefined));
  }

  it('resolves an ssh host’s alias, and only for ssh', () => {
    const hostOf = (alias: string): string => (alias === 'work' ? 'github.com' : alias);
    expect(parseRemote('git@work:owner/repo', hostOf)?.host).to.equal('github.com');
    expect(parseRemote('ssh://git@work/owner/repo', hostOf)?.host).to.equal('github.com');
    expect(parseRemote('https://work/owner/repo', hostOf)?.host).to.equal('work');
  });

  it('never passes on user info and never returns a host that is not in the address', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const user = fc.stringMatching(/^[A-Za-z0-9_:%.!*-]{1,12}$/);
    const form = fc.constantFrom('https://', 'ssh://', 'git://', 'http://');
    fc.assert(
      fc.property(form, user, word, word, word, (scheme, secret, host, owner, repo) => {
        const url = webUrl(`${scheme}SECRET${secret}@${host}.example/${owner}/${repo}.git`);
        expect(url ?? '').to.not.contain('SECRET');
        if (url !== undefined) expect(new URL(url).hostname).to.equal(`${host}.example`);
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const url = webUrl(text);
        if (url !== undefined) expect(text.toLowerCase()).to.contain(new URL(url).hostname);
      }),
      { numRuns: 2000 },
    );
  });
});
