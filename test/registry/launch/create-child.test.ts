import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import { failureOf } from '#test/support/failure.ts';
import { type As, type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('create_agent with a parent', () => {
  let fixture: RegistryFixture;
  let parent: Made<Agent>;
  let child: Made<Agent>;
  let orchestrator: Made<Agent>;
  let otherWorkflow: string;

  before(async () => {
    fixture = await registryFixture();
    fixture.host.directories.set('/trees', true);
    parent = await fixture.create({ title: 'parent' });
    await fixture.host.bringUp(parent.id);
    orchestrator = await fixture.create({ title: 'orchestrator', role: 'AGENT_ROLE_ORCHESTRATOR' });
    await fixture.host.bringUp(orchestrator.id);
    otherWorkflow = (await fixture.workflow()).id;
    child = await fixture.create({ title: 'child', parentAgentId: parent.id }, { agentId: parent.id });
  });
  after(() => fixture.close());

  it("launches the child in its parent's directory, host and workflow, as a reviewer without a worktree", async () => {
    expect(child).to.deep.include({
      parentAgentId: parent.id,
      spawnedByAgentId: parent.id,
      cwd: `/trees/${parent.id}`,
      hostId: parent.hostId,
      workflowId: parent.workflowId,
      role: 'AGENT_ROLE_REVIEWER',
    });
    const record = await fixture.host.registry.load(child.id);
    expect(record.family).to.equal(parent.id);
    expect(record.launch.provision).to.equal(false);
    expect(record.effects.map(({ kind }) => kind)).to.deep.equal(['openWindow']);
  });

  it('lets a person add a child, and make it an implementer', async () => {
    const made = await fixture.create({ parentAgentId: parent.id, role: 'AGENT_ROLE_IMPLEMENTER' });
    expect(made).to.deep.include({ parentAgentId: parent.id, role: 'AGENT_ROLE_IMPLEMENTER' });
    expect(made.spawnedByAgentId).to.equal(undefined);
  });

  interface Case {
    readonly what: string;
    readonly request: () => Partial<CreateAgentRequest>;
    readonly as?: () => As;
    readonly code: string;
    readonly says: string;
  }
  const cases: Case[] = [
    { what: 'a directory', request: () => ({ dir: '/repo' }), code: 'invalid_argument', says: 'dir' },
    {
      what: 'provisionEnabled true',
      request: () => ({ provisionEnabled: true }),
      code: 'invalid_argument',
      says: 'provisionEnabled',
    },
    {
      what: 'provisionEnabled false',
      request: () => ({ provisionEnabled: false }),
      code: 'invalid_argument',
      says: 'provisionEnabled',
    },
    {
      what: 'the role of an orchestrator',
      request: () => ({ role: 'AGENT_ROLE_ORCHESTRATOR' }),
      code: 'invalid_argument',
      says: 'orchestrator',
    },
    { what: 'another host', request: () => ({ host: 'hst_2' }), code: 'invalid_argument', says: 'hst_2' },
    {
      what: "a workflow that is not its parent's",
      request: () => ({ workflowId: otherWorkflow }),
      code: 'failed_precondition',
      says: 'workflow',
    },
    {
      what: 'a workflow that is not there',
      request: () => ({ workflowId: 'wfl_x' }),
      code: 'failed_precondition',
      says: 'wfl_x',
    },
    {
      what: 'a parent that is a child',
      request: () => ({ parentAgentId: child.id }),
      code: 'failed_precondition',
      says: 'child',
    },
    {
      what: 'a parent that is an orchestrator',
      request: () => ({ parentAgentId: orchestrator.id }),
      code: 'failed_precondition',
      says: 'orchestrator',
    },
    {
      what: 'another agent than the caller',
      request: () => ({}),
      as: () => ({ agentId: orchestrator.id }),
      code: 'permission_denied',
      says: 'SERVICE_AGENT_ID',
    },
    {
      what: 'an agent that is not there and so is not the caller',
      request: () => ({ parentAgentId: 'agt_x' }),
      as: () => ({ agentId: parent.id }),
      code: 'permission_denied',
      says: 'agt_x',
    },
    {
      what: 'the caller where it is a child',
      request: () => ({ parentAgentId: child.id }),
      as: () => ({ agentId: child.id }),
      code: 'failed_precondition',
      says: 'child',
    },
    {
      what: 'the caller where it is an orchestrator',
      request: () => ({ parentAgentId: orchestrator.id }),
      as: () => ({ agentId: orchestrator.id }),
      code: 'failed_precondition',
      says: 'orchestrator',
    },
  ];
  for (const { what, request, as = () => 'person' as const, code, says } of cases) {
    it(`refuses ${what} as ${code}`, async () => {
      const failure = await failureOf(() => fixture.create({ parentAgentId: parent.id, ...request() }, as()));
      expect(failure.code).to.equal(code);
      expect(failure.message).to.contain(says);
    });
  }

  describe('for an unsuitable parent', () => {
    const refusalFor = (parentAgentId: string) => failureOf(() => fixture.create({ parentAgentId }));

    it('refuses a parent whose worktree does not exist yet', async () => {
      const young = await fixture.create({ title: 'young' });
      expect(await refusalFor(young.id)).to.have.property('code', 'failed_precondition');
    });

    it('refuses an archived parent', async () => {
      const archived = await fixture.create({ provisionEnabled: false });
      await fixture.call('ArchiveAgent', { agentId: archived.id });
      expect(await refusalFor(archived.id)).to.have.property('code', 'failed_precondition');
    });

    it('refuses a parent that is being deleted, and returns not_found for a deleted one', async () => {
      const deleted = await fixture.create({ provisionEnabled: false });
      await fixture.call('DeleteAgent', { agentId: deleted.id });
      expect(await refusalFor(deleted.id)).to.have.property('code', 'failed_precondition');
      await fixture.host.tell(deleted.id, { type: 'PANE_CLOSED' });
      expect(await refusalFor(deleted.id)).to.have.property('code', 'not_found');
    });
  });
});
