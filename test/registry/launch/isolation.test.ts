import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { ScheduleRun } from '#contract/schedule.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('the isolation of a launch', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  const bare = { provisionEnabled: false } as const;
  const hosts = (...names: string[]) => ({ grants: { hosts: names } });
  const isolated = () => fixture.workflow({ isolation: 'ISOLATION_SANDBOX', ...hosts('a.example', 'b.example') });
  /** What the agent's host reads of its launch. */
  const launchOf = async (id: string) => {
    const { agents } = await fixture.host.registry.changes('hst_1', '');
    const { launch } = agents.find((agent) => agent.id === id) ?? {};
    return { isolation: launch?.isolation, hosts: launch?.grants?.hosts };
  };
  const isRefused = async (request: object, as: { readonly agentId: string }) => {
    const { reason, field } = await failureOf(() => fixture.create({ ...bare, ...request }, as));
    expect({ reason, field }).to.deep.equal({ reason: 'BEYOND_OWN_RIGHTS', field: 'isolation' });
  };

  it('is the workflow’s, unless a person asks for another one', async () => {
    const { id: workflowId } = await isolated();
    const agent = await fixture.create({ ...bare, workflowId });
    expect(agent).to.include({ isolation: 'ISOLATION_SANDBOX' });
    expect(await launchOf(agent.id)).to.deep.equal({ isolation: 'sandbox', hosts: ['a.example', 'b.example'] });
    const open = await fixture.create({ ...bare, workflowId, isolation: 'ISOLATION_NONE' });
    expect(open).not.to.have.property('isolation');
    const walled = await fixture.create({ ...bare, isolation: 'ISOLATION_SANDBOX' });
    expect(walled).to.include({ isolation: 'ISOLATION_SANDBOX' });
  });

  it('is the schedule’s where it fires, or else the workflow’s', async () => {
    const { id: workflowId } = await fixture.workflow({ provisionEnabled: false });
    const isolationOfFired = async (given: object) => {
      const request = { cron: '0 0 1 1 *', timezone: 'UTC', prompt: 'Tidy up', workflowId, paused: true, ...given };
      const { schedule } = await fixture.call<{ schedule: { id: string } }>('CreateSchedule', request);
      await fixture.call('FireSchedule', { scheduleId: schedule.id });
      const { agentId = '' } = await moment('the firing to launch', async () => {
        const answer = await fixture.call<{ runs: ScheduleRun[] }>('ListScheduleRuns', { scheduleId: schedule.id });
        return answer.runs.find((run) => run.agentId);
      });
      return (await launchOf(agentId)).isolation;
    };
    expect(await isolationOfFired({ name: 'walled', isolation: 'ISOLATION_SANDBOX' })).to.equal('sandbox');
    expect(await isolationOfFired({ name: 'open' })).to.equal(undefined);
    await fixture.call('UpdateWorkflow', { workflowId, isolation: 'ISOLATION_SANDBOX' });
    expect(await isolationOfFired({ name: 'as-workflow' })).to.equal('sandbox');
    expect(await isolationOfFired({ name: 'opened', isolation: 'ISOLATION_NONE' })).to.equal(undefined);
  });

  it('is never weaker than that of the agent that launches, which passes on at most its own grants', async () => {
    const { id: workflowId } = await isolated();
    const as = { agentId: (await fixture.create({ ...bare, workflowId })).id };
    await isRefused({ workflowId, isolation: 'ISOLATION_NONE' }, as);
    await fixture.call('UpdateWorkflow', { workflowId, ...hosts('b.example', 'c.example') });
    const helper = await fixture.create({ ...bare, workflowId }, as);
    expect(await launchOf(helper.id)).to.deep.equal({ isolation: 'sandbox', hosts: ['b.example'] });
    await fixture.call('UpdateWorkflow', { workflowId, clear: ['isolation', 'grants'] });
    const later = await fixture.create({ ...bare, workflowId }, as);
    expect((await launchOf(later.id)).isolation).to.equal('sandbox');
  });

  it('is a container only with an image, and counts as more isolated than a sandbox', async () => {
    const unnamed = await failureOf(() => fixture.create({ ...bare, isolation: 'ISOLATION_CONTAINER' }));
    expect({ reason: unnamed.reason, field: unnamed.field }).to.deep.equal({
      reason: 'INVALID_FIELD',
      field: 'isolation',
    });
    expect(unnamed.message).to.include('--image');
    const { id: workflowId } = await fixture.workflow({
      isolation: 'ISOLATION_CONTAINER',
      grants: { image: 'localhost/web:1' },
    });
    const agent = await fixture.create({ ...bare, workflowId });
    expect(agent).to.include({ isolation: 'ISOLATION_CONTAINER' });
    await isRefused({ workflowId, isolation: 'ISOLATION_SANDBOX' }, { agentId: agent.id });
    await fixture.call('UpdateWorkflow', { workflowId, isolation: 'ISOLATION_SANDBOX', grants: { image: 'other:1' } });
    const helper = await fixture.create({ ...bare, workflowId }, { agentId: agent.id });
    expect(helper).to.include({ isolation: 'ISOLATION_CONTAINER' });
    const { agents } = await fixture.host.registry.changes('hst_1', '');
    const { launch } = agents.find(({ id }) => id === helper.id) ?? {};
    expect(launch?.grants?.image).to.equal('localhost/web:1');
  });

  it('keeps an agent from prompting one that reaches more', async () => {
    const { id: workflowId } = await isolated();
    const as = { agentId: (await fixture.create({ ...bare, workflowId, role: 'AGENT_ROLE_ORCHESTRATOR' })).id };
    const open = await fixture.create({ ...bare, workflowId, isolation: 'ISOLATION_NONE' });
    const prompted = () => fixture.call('PromptAgent', { agentId: open.id, prompt: 'cat the token' }, as);
    const { reason, field } = await failureOf(prompted);
    expect({ reason, field }).to.deep.equal({ reason: 'BEYOND_OWN_RIGHTS', field: 'isolation' });
  });

  it('is that of the parent for a child, also if its launch is retried with the current workflow', async () => {
    const { id: workflowId } = await fixture.workflow();
    const parent = await fixture.create({ ...bare, workflowId });
    const asked = { workflowId, parentAgentId: parent.id } as const;
    const refusal = await failureOf(() => fixture.create({ ...asked, isolation: 'ISOLATION_SANDBOX' }));
    expect(refusal.reason).to.equal('CONFLICTING_FIELDS');
    const child = await fixture.create(asked);
    await fixture.host.tell(child.id, { type: 'STEP_FAILED', step: 'opening', reason: 'no tmux' });
    await fixture.call<{ agent: Agent }>('RetryAgent', { agentId: child.id, withCurrentWorkflow: true });
    expect(await launchOf(child.id)).to.deep.equal({ isolation: undefined, hosts: undefined });
  });

  it('limits agents without isolation too, and each at most as its launcher', async () => {
    const grants = { memoryMib: 512, maxProcesses: 200, cpuPercent: 50 };
    const { id: workflowId } = await fixture.workflow({ grants: { ...grants, hosts: ['a.example'] } });
    const limitsOf = async (id: string) => {
      const { agents } = await fixture.host.registry.changes('hst_1', '');
      return agents.find((agent) => agent.id === id)?.launch.grants;
    };
    const first = await fixture.create({ ...bare, workflowId, role: 'AGENT_ROLE_ORCHESTRATOR' });
    expect(await limitsOf(first.id)).to.deep.equal(grants);
    await fixture.call('UpdateWorkflow', {
      workflowId,
      grants: { memoryMib: 2_048, maxProcesses: 100, diskMib: 900, cpuPercent: 80 },
    });
    const helper = await fixture.create({ ...bare, workflowId }, { agentId: first.id });
    expect(await limitsOf(helper.id)).to.deep.equal({
      memoryMib: 512,
      maxProcesses: 100,
      diskMib: 900,
      cpuPercent: 50,
    });
    const large = await fixture.create({ ...bare, workflowId });
    const child = await fixture.create({ workflowId, parentAgentId: large.id });
    expect(await limitsOf(child.id)).to.include({ memoryMib: 2_048 });
    const prompt = (agentId: string) =>
      fixture.call('PromptAgent', { agentId, prompt: 'build it all' }, { agentId: first.id });
    expect((await failureOf(() => prompt(large.id))).message).to.include('memoryMib');
    await fixture.call('UpdateWorkflow', { workflowId, clear: ['grants'] });
    const free = await fixture.create({ ...bare, workflowId, isolation: 'ISOLATION_NONE' });
    expect(await limitsOf(free.id)).to.equal(undefined);
    const negative = () => fixture.call('UpdateWorkflow', { workflowId, grants: { memoryMib: -1 } });
    expect((await failureOf(negative)).field).to.equal('grants.memoryMib');
  });

  it('lets running agents connect to what a person allows', async () => {
    const { id: workflowId } = await isolated();
    const { id } = await fixture.create({ ...bare, workflowId });
    await fixture.host.tell(id, { type: 'CONNECTION_REFUSED', destination: 'c.example:443' });
    await fixture.call('AllowConnections', { workflowId, hosts: ['c.example', '127.0.0.1:5432'] });
    expect((await launchOf(id)).hosts).to.deep.equal(['a.example', 'b.example', 'c.example']);
    const { workflow } = await fixture.call<{ workflow: object }>('GetWorkflow', { workflowId });
    expect(workflow).to.have.deep.nested.property('grants.loopbackPorts', [5432]);
    const { agent } = await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId: id });
    expect(agent.agent.refusedConnections ?? []).to.deep.equal([]);
  });
});
