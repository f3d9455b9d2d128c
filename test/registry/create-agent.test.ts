import { expect } from 'chai';
import { type RegistryFixture, registryFixture } from './registry-fixture.ts';

describe('create_agent', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  it('answers with the agent while it is being set up', async () => {
    const agent = await fixture.create({ prompt: 'Fix the login page, please!' });
    expect(agent).to.deep.include({
      name: 'fix-the-login-page-please',
      state: 'AGENT_STATE_SETTING_UP',
      prompt: 'Fix the login page, please!',
      cwd: '/repo',
      harness: 'claude',
      role: 'AGENT_ROLE_IMPLEMENTER',
      hostId: 'hst_1',
    });
  });
});
