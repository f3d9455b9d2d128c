import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import type { Workflow } from '#contract/workflow.ts';
import { type Made, type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';

type LaunchRequest = Partial<CreateAgentRequest>;

/** An agent that was launched when its workflow gave less than it does by now. */
describe('an agent that was launched before its workflow changed', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  async function launched(given: LaunchRequest): Promise<Made<Agent>> {
    const agent = await fixture.create({ provisionEnabled: false, ...given });
    await fixture.host.bringUp(agent.id);
    return agent;
  }
  const load = async (id: string) => (await fixture.host.registry.load(id)).launch;
  const update = (workflowId: string, given: object) => fixture.call('UpdateWorkflow', { workflowId, ...given });
  const prompted = (by: Made<Agent>, agentId: string) =>
    fixture.call('PromptAgent', { agentId, prompt: 'Go on' }, { agentId: by.id }).then(
      () => 'answered',
      (error: { code: string }) => error.code,
    );

  it('passes on what it was launched with, while the workflow still has it', async () => {
    const flow = await fixture.workflow({
      environment: ['KEPT=old', 'GONE=1'],
      scripts: { setup: 'npm ci', onIdle: 'old' },
      copyFiles: ['.env', 'gone'],
      preApprovedTools: ['create_agent'],
    });
    const agent = await launched({ workflowId: flow.id });
    await update(flow.id, {
      environment: ['KEPT=new', 'SECRET=1'],
      scripts: { onIdle: 'new', teardown: 'more' },
      copyFiles: ['.env', 'secrets'],
      preApprovedTools: ['create_agent', 'prompt_agent'],
    });
    const given = { environment: ['KEPT=old'], copyFiles: ['.env'], preApprovedTools: ['create_agent'] };
    const own = { ...given, scripts: { setup: 'npm ci', onIdle: 'old' } };
    for (const how of [{}, { parentAgentId: agent.id }] satisfies LaunchRequest[]) {
      const one = await fixture.create({ workflowId: flow.id, ...how }, { agentId: agent.id });
      expect(await load(one.id), JSON.stringify(how)).to.deep.include(own);
      const grandchild = await fixture.create({ workflowId: flow.id }, { agentId: one.id });
      expect(await load(grandchild.id)).to.deep.include(own);
    }
    expect(await load((await launched({ workflowId: flow.id })).id)).to.deep.include({
      environment: ['KEPT=new', 'SECRET=1'],
      copyFiles: ['.env', 'secrets'],
      preApprovedTools: ['create_agent', 'prompt_agent'],
      scripts: { setup: 'npm ci', onIdle: 'new', teardown: 'more' },
    });
    await update(flow.id, { clear: ['environment', 'scripts', 'copyFiles', 'preApprovedTools'] });
    const last = await load((await fixture.create({ workflowId: flow.id }, { agentId: agent.id })).id);
    expect(last).to.deep.include({ scripts: {}, copyFiles: [], preApprovedTools: [] });
    expect(last.environment).to.equal(undefined);
  });

  it('launches into a granted workflow with everything in that workflow', async () => {
    const target = await fixture.workflow({ environment: ['SECRET=1'], scripts: { setup: 'make' } });
    const flow = await fixture.workflow({ agentsMayLaunch: { workflowIds: [target.id] } });
    const agent = await launched({ workflowId: flow.id });
    const one = await load((await fixture.create({ workflowId: target.id }, { agentId: agent.id })).id);
    expect(one).to.deep.include({ environment: ['SECRET=1'], scripts: { setup: 'make' } });
  });

  for (const more of [
    { environment: ['SECRET=1'] },
    { preApprovedTools: ['create_agent'] },
    { copyFiles: ['secrets'] },
    { scripts: { onIdle: 'more' } },
  ] satisfies Partial<Workflow>[]) {
    it(`directs no agent that was launched later with ${Object.keys(more)[0]}`, async () => {
      const flow = await fixture.workflow();
      const lead = await launched({ workflowId: flow.id, role: 'AGENT_ROLE_ORCHESTRATOR' });
      const same = await launched({ workflowId: flow.id });
      await update(flow.id, more);
      const newer = await launched({ workflowId: flow.id });
      expect(await prompted(lead, newer.id)).to.equal('permission_denied');
      expect(await prompted(lead, same.id)).to.equal('answered');
    });
  }

  it('directs no agent in muster’s own folder, even if that is in the workflow’s directory', async () => {
    const { host } = fixture;
    const flow = await fixture.workflow();
    const lead = await launched({ workflowId: flow.id, role: 'AGENT_ROLE_ORCHESTRATOR' });
    const dir = '/repo/.muster/worktrees/x';
    host.directories.set(dir, true);
    const inside = await launched({ workflowId: flow.id, dir });
    const tell = async (stateFolder: string) => {
      host.condition = { system: 'linux x64', musterVersion: '0.1.0', startedAt: 1, load: {}, stateFolder };
      await host.beat();
    };
    await tell('/repo/.muster');
    expect(await prompted(lead, inside.id)).to.equal('permission_denied');
    await tell('/state');
    expect(await prompted(lead, inside.id)).to.equal('answered');
  });
});
