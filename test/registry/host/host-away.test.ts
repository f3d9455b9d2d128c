import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const hour = 3_600_000;

describe('steps of agents on an unreachable host', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  const show = async (agentId: string) =>
    (await fixture.call<{ agent: AgentRow & { agent: Agent } }>('GetAgent', { agentId })).agent.agent;
  const limits = (ownerId: string) => fixture.store.read(({ deadlines }) => deadlines.of({ owner: 'agent', ownerId }));
  const left = async (id: string) => (await limits(id)).map(({ name, dueAt }) => [name, dueAt - fixture.clock.now()]);
  const lose = async () => {
    fixture.clock.pass(31_000);
    await moment('the host is lost', async () => {
      const { hosts } = await fixture.call<{ hosts: { state: string }[] }>('ListHosts');
      return hosts[0]?.state === 'HOST_STATE_LOST';
    });
  };
  async function living(): Promise<string> {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(id);
    return id;
  }

  it('wait from the first moment, show it, and continue once it is back', async () => {
    const [archived, restored, deleted] = [await living(), await living(), await living()];
    await fixture.host.tell(restored, { type: 'PANE_GONE', reason: 'exited', briefed: true });
    await lose();
    await fixture.call('ArchiveAgent', { agentId: archived });
    await fixture.call('RestoreAgent', { agentId: restored });
    await fixture.call('DeleteAgent', { agentId: deleted });
    const waits = 'waits for host hst_1.example, which has been silent since 2026-11-21T09:00:00.000Z';
    for (const [id, reason] of [
      [archived, waits],
      [restored, waits],
      [deleted, `deleting; ${waits}`],
    ] as const) {
      expect((await show(id)).stateReason).to.equal(reason);
      expect(await limits(id)).to.deep.equal([]);
    }
    fixture.clock.pass(hour);
    await fixture.host.beat();
    expect(await left(archived)).to.deep.equal([['archiving', 60_000]]);
    expect(await left(restored)).to.deep.equal([['settingUp.opening', 60_000]]);
    expect((await show(archived)).stateReason).to.equal('');
    await fixture.host.tell(archived, { type: 'PANE_CLOSED' });
    await fixture.host.tell(restored, { type: 'WINDOW_OPENED', paneId: '%2' });
    await fixture.host.tell(deleted, { type: 'PANE_CLOSED' });
    expect((await show(archived)).alive).to.equal(false);
    expect((await show(restored)).state).to.equal('AGENT_STATE_UNCERTAIN');
    expect(await fixture.store.read(({ agents }) => agents.find(deleted))).to.have.property('standing', 'gone');
  });

  it('keep the rest of their limits during the outage', async () => {
    const id = await living();
    await fixture.call('ArchiveAgent', { agentId: id });
    fixture.clock.pass(10_000);
    await fixture.host.beat();
    await lose();
    expect(await limits(id)).to.deep.equal([]);
    expect((await show(id)).state).not.to.equal('AGENT_STATE_FAILED_TO_CLEANUP');
    fixture.clock.pass(hour);
    await fixture.host.beat();
    expect(await left(id)).to.deep.equal([['archiving', 50_000]]);
    fixture.clock.pass(11_000);
    await fixture.host.beat();
    fixture.clock.pass(11_000);
    await fixture.host.beat();
    fixture.clock.pass(11_000);
    await fixture.host.beat();
    fixture.clock.pass(11_000);
    await fixture.host.beat();
    fixture.clock.pass(11_000);
    await fixture.host.beat();
    await moment('it is late', async () => (await show(id)).state === 'AGENT_STATE_FAILED_TO_CLEANUP');
  });

  it('are postponed while it is silent and not lost yet', async () => {
    const id = await living();
    await fixture.call('ArchiveAgent', { agentId: id });
    for (let beats = 0; beats < 4; beats += 1) {
      fixture.clock.pass(11_000);
      await fixture.host.beat();
    }
    fixture.clock.pass(20_000);
    await moment('it is put off', async () => (await left(id))[0]?.[1] === 20_000);
    expect((await show(id)).state).not.to.equal('AGENT_STATE_FAILED_TO_CLEANUP');
  });
});
