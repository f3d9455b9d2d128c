import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('the archive', () => {
  let fixture: RegistryFixture;

  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  const ask = async (method: string, agentId: string) =>
    (await fixture.call<{ agent: Made<Agent> }>(method, { agentId })).agent;
  const show = async (agentId: string) =>
    (await fixture.call<{ agent: AgentRow & { agent: Made<Agent> } }>('GetAgent', { agentId })).agent.agent;
  const list = async (archived: boolean) => {
    const { agents } = await fixture.call<{ agents: AgentRow[] }>('ListAgents', { archived });
    return agents.map(({ agent }) => agent?.id);
  };

  async function archiving(): Promise<string> {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(id);
    await ask('ArchiveAgent', id);
    return id;
  }

  it('keeps an archived agent while it is deleted, and leaves its name to the new owner', async () => {
    const { id } = await fixture.create({ title: 'kept' });
    await ask('ArchiveAgent', id);
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    const other = await fixture.create({ title: 'kept' });
    await ask('DeleteAgent', id);
    await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'inspecting', reason: 'unsaved work' });
    expect(await list(true)).to.include(id);
    expect(await list(false))
      .to.include(other.id)
      .and.not.include(id);
    expect(await ask('RestoreAgent', id)).to.include({ name: 'kept-2' });
  });

  it('lists an agent whose archiving failed with the live ones, under its own name, until a retry', async () => {
    const id = await archiving();
    const { name = '' } = await show(id);
    const other = await fixture.create({ title: name });
    expect(await list(true)).to.include(id);
    await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'closing', reason: 'tmux hangs' });
    expect(await list(true)).not.to.include(id);
    expect(await list(false)).to.include.members([id, other.id]);
    const failed = await show(id);
    expect(failed).to.deep.include({ state: 'AGENT_STATE_FAILED_TO_CLEANUP', stateReason: 'closing: tmux hangs' });
    expect(failed).not.to.have.property('archivedAt');
    expect([failed.name, other.name]).to.deep.equal([`${name}-2`, name]);
    expect(await ask('RetryAgent', id)).to.have.property('archivedAt');
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    expect(await list(true)).to.include(id);
  });

  it('restores an agent whose name was taken while its window is still being closed', async () => {
    const { id } = await fixture.create({ title: 'pair' });
    await ask('ArchiveAgent', id);
    await fixture.create({ title: 'pair' });
    const agent = await ask('RestoreAgent', id);
    expect(agent).to.include({ name: 'pair-2', state: 'AGENT_STATE_SETTING_UP' });
    expect(agent.archivedAt).to.equal(undefined);
  });
});
