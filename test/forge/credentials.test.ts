import { expect } from 'chai';
import type { ForgeKind } from '#contract/forge.ts';
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

  it('is sent as each forge takes it', async () => {
    expect(await sent('github', 'abc')).equal('Bearer abc');
    expect(await sent('gitlab', 'abc')).equal('Bearer abc');
    expect(await sent('gitea', 'abc')).equal('token abc');
    expect(await sent('bitbucket', 'abc')).equal('Bearer abc');
    expect(await sent('bitbucket', 'ann@example.org:abc')).equal(`Basic ${btoa('ann@example.org:abc')}`);
  });
});
