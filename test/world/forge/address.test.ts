import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { forgeRoot, githubPaths } from '#world/forge/forge-address.ts';
import { requireRemote } from '#world/git/remote/remote-url.ts';

describe('a forge’s API root', () => {
  it('is derived from its host', () => {
    expect(forgeRoot('github', 'github.com', '')).equal('https://api.github.com');
    expect(forgeRoot('github', 'acme.ghe.com', '')).equal('https://api.acme.ghe.com');
    expect(forgeRoot('github', 'git.example.org', '')).equal('https://git.example.org');
    expect(forgeRoot('gitlab', 'gitlab.com', '')).equal('https://gitlab.com');
    expect(forgeRoot('gitea', 'git.example.org:3000', '')).equal('https://git.example.org:3000');
    expect(forgeRoot('bitbucket', 'bitbucket.org', '')).equal('https://api.bitbucket.org');
  });

  it('is used as given, without muster’s own suffix', () => {
    for (const given of ['https://x.test/', 'https://x.test/api/v3', 'https://x.test/api/graphql/']) {
      expect(forgeRoot('github', 'x.test', given)).equal('https://x.test');
    }
    expect(forgeRoot('gitlab', 'x.test', 'https://x.test/gitlab/api/v4')).equal('https://x.test/gitlab');
    expect(forgeRoot('gitea', 'x.test', 'http://[::1]:3000/api/v1')).equal('http://[::1]:3000');
    expect(forgeRoot('bitbucket', 'x.test', 'https://x.test/2.0')).equal('https://x.test');
  });

  it('has GitHub’s own paths', () => {
    expect(githubPaths('https://api.github.com')).deep.equal({ graphql: '/graphql', rest: '' });
    expect(githubPaths('https://x.test')).deep.equal({ graphql: '/api/graphql', rest: '/api/v3' });
  });
});

describe('a caller’s remote', () => {
  const taken: readonly (readonly [string, string, string])[] = [
    ['git@github.com:owner/repo.git', 'github.com', 'owner/repo'],
    ['github.com:owner/repo', 'github.com', 'owner/repo'],
    ['git@ssh.github.com:owner/repo', 'github.com', 'owner/repo'],
    ['https://GitHub.com/Owner/Repo.git/', 'github.com', 'Owner/Repo'],
    ['https://x.test:8443/group/sub/repo', 'x.test:8443', 'group/sub/repo'],
    ['git@[2001:db8::1]:owner/repo', '[2001:db8::1]', 'owner/repo'],
  ];
  for (const [url, host, path] of taken) {
    it(`is accepted: ${url}`, () => expect(requireRemote(url)).include({ host, path }));
  }

  const refused: readonly (readonly [string, RegExp])[] = [
    ['ssh://git@github.com/owner/repo', /begins with ssh:/],
    ['http://github.com/owner/repo', /begins with http:/],
    ['git://github.com/owner/repo', /begins with git:/],
    ['https://github.com/owner/repo?x=1', /query/],
    ['https://github.com/owner/repo#x', /query or a fragment/],
    ['https://github.com/repo', /no repository/],
    ['https://github.com/owner/../repo', /no repository/],
    ['user:canary@github.com:owner/repo', /neither form/],
    ['github.com', /neither form/],
    ['owner/repo', /neither form/],
    ['', /neither form/],
    [`https://github.com/${'x'.repeat(2_050)}/y`, /too long/],
  ];
  for (const [url, says] of refused) {
    it(`is refused: ${url.slice(0, 60)}`, async () => {
      const { code, message } = await failureOf(() => requireRemote(url));
      expect(code).equal('invalid_argument');
      expect(message)
        .match(says)
        .and.contain('git@host:owner/name or https://host/owner/name')
        .and.not.contain('canary');
    });
  }
});
