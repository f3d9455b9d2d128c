import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { KnownCallers } from '#gateway/http/known-callers.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';

const credentialOf = (token: string) => createHash('sha256').update(token).digest('hex');

describe('cached callers', () => {
  let registry: RegistryFixture;
  let now: number;
  let callers: KnownCallers;
  before(async () => {
    registry = await registryFixture();
    now = 0;
    callers = new KnownCallers(registry.gateway, () => now);
  });
  after(() => registry.close());

  it('are dropped 90 s after their check, as those of ended agents', async () => {
    const { id } = await registry.create({ provisionEnabled: false });
    const { token } = await registry.call<{ token: string }>('IssueAgentToken', { agentId: id });
    const [agent, person] = [credentialOf(token), credentialOf(registry.operatorToken)];
    await callers.ask(agent);
    now = 60_000;
    await callers.ask(person);
    expect([agent, person].map((one) => callers.has(one))).to.deep.equal([true, true]);
    now = 90_000;
    await callers.ask(person);
    // Nothing of it is cached: it stays unknown even if the time is set back.
    now = 60_000;
    expect([agent, person].map((one) => callers.has(one))).to.deep.equal([false, true]);
  });
});
