import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import { type As, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('the flags of a launch that is retried with the current workflow', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  it('are the workflow’s if a person retries, the launch had none, and the CLI is the same', async () => {
    const { id: workflowId } = await fixture.workflow({ flags: '--old' });
    const role = 'AGENT_ROLE_ORCHESTRATOR';
    const orchestrator = { agentId: (await fixture.create({ workflowId, role })).id };
    const failed = async (more: Partial<CreateAgentRequest> = {}) => {
      const { id } = await fixture.create({ workflowId, provisionEnabled: false, ...more });
      await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'opening', reason: 'no tmux' });
      return id;
    };
    const flagsAfter = async (agentId: string, withCurrentWorkflow: boolean, as: As = 'person') => {
      const request = { agentId, withCurrentWorkflow };
      return (await fixture.call<{ agent: Agent }>('RetryAgent', request, as)).agent.flags ?? '';
    };
    const [kept, fresh, byAgent, other] = [await failed(), await failed(), await failed(), await failed()];
    const own = await failed({ flags: '--mine' });
    await fixture.call('UpdateWorkflow', { workflowId, flags: '--new' });
    expect(await flagsAfter(kept, false)).to.equal('--old');
    expect(await flagsAfter(fresh, true)).to.equal('--new');
    expect(await flagsAfter(own, true)).to.equal('--mine');
    expect(await flagsAfter(byAgent, true, orchestrator)).to.equal('--old');
    await fixture.call('UpdateWorkflow', { workflowId, harness: 'codex', flags: '--of-codex' });
    expect(await flagsAfter(other, true)).to.equal('--old');
  });
});
