import { expect } from 'chai';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('the row of an agent that takes its mail', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  it('changes once, with the count of its mail and its doorbell', async () => {
    const { id: agentId } = await fixture.create({ provisionEnabled: false });
    const moves = async () => {
      const request = { subjectId: agentId };
      const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', request);
      return facts.filter(({ kind }) => kind === 'agent.changed').map(({ detail }) => JSON.parse(detail) as object);
    };
    await fixture.call('SendMail', { agentId, body: 'hello' });
    const before = await moves();
    await fixture.call('TakeMail', {}, { agentId });
    const after = await moves();
    expect(after).to.have.length(before.length + 1);
    expect(after[0]).to.deep.equal({ unreadMail: 0, doorbell: 'none' });
  });
});
