import { expect } from 'chai';
import type { ForgeKind } from '#contract/forge/forge.ts';
import { forgeFixture } from './forge-fixture.ts';

describe('a credential', () => {
  const sent = async (kind: ForgeKind, credential: string): Promise<string | null> => {
    const fixture = await forgeFixture(kind);
    await fixture
      .clientWith({ credential })
      .check()
      .catch(() => undefined);
    const [request] = fixture.server.requests;
    await fixture.close();
    return request?.headers.get('authorization') ?? null;
  };

  it('is sent in each forge’s form', async () => {
    expect(await sent('github', 'abc')).equal('Bearer abc');
    expect(await sent('gitlab', 'abc')).equal('Bearer abc');
    expect(await sent('gitea', 'abc')).equal('token abc');
    expect(await sent('bitbucket', 'abc')).equal('Bearer abc');
    expect(await sent('bitbucket', 'ann@example.org:abc')).equal(`Basic ${btoa('ann@example.org:abc')}`);
  });

  it('of GitHub gets a warning if it lacks scopes, or expires soon', async () => {
    const fixture = await forgeFixture('github');
    const { double } = fixture.server;
    const warned = async (headers: Record<string, string>) => {
      fixture.server.double = async (request) => ({ ...(await double(request)), headers });
      return (await fixture.client.check()).warnings;
    };
    const end = 'github-authentication-token-expiration';
    expect(await warned({})).deep.equal([]);
    expect(await warned({ 'x-oauth-scopes': 'gist, repo', [end]: '2026-12-31 10:00:00 UTC' })).deep.equal([]);
    expect(await warned({ 'x-oauth-scopes': 'public_repo', [end]: '2026-11-25 10:00:00 UTC' })).deep.equal([
      'It lacks the scope repo, so it sees only public repositories.',
      'It expires at 2026-11-25T10:00:00.000Z.',
    ]);
    await fixture.close();
  });
});
