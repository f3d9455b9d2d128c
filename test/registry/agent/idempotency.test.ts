import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { failureOf } from '#test/support/failure.ts';
import { timesOf } from '#test/support/soak.ts';
import { type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('an idempotency key', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const count = async () => (await fixture.call<{ agents?: [] }>('ListAgents')).agents?.length;

  const calls = timesOf('MUSTER_TEST_CALLS', 60, 1_000);
  it(`makes one agent of ${calls} concurrent calls, and returns the same answer to all`, async () => {
    const made = await Promise.all(Array.from({ length: calls }, () => fixture.create({ idempotencyKey: 'once' })));
    expect(new Set(made.map((agent) => JSON.stringify(agent))).size).to.equal(1);
    expect(made[0]?.idempotencyKey).to.equal('once');
    expect(await count()).to.equal(1);
  });

  it('returns the agent as it is now, whatever else the request contains', async () => {
    const first = await fixture.create({ idempotencyKey: 'k' });
    await fixture.host.bringUp(first.id);
    const repeats = [
      { prompt: 'Something else' },
      { workflowId: 'wfl_not_there' },
      { dir: 'relative' },
      { harness: 'vim' },
      { parentAgentId: 'agt_x', dir: '/repo' },
    ];
    for (const request of repeats) {
      const repeated = await fixture.create({ idempotencyKey: 'k', ...request });
      expect(repeated).to.deep.include({ id: first.id, state: 'AGENT_STATE_THINKING', prompt: first.prompt });
    }
    expect(await count()).to.equal(1);
  });

  it('is valid over a restart, and while the host is silent', async () => {
    const first = await fixture.create({ idempotencyKey: 'k' });
    await fixture.restart();
    await fixture.host.fallSilent();
    expect((await fixture.create({ idempotencyKey: 'k' })).id).to.equal(first.id);
  });

  it('is valid for an archived or deleted agent', async () => {
    const first = await fixture.create({ idempotencyKey: 'k', provisionEnabled: false });
    await fixture.call('ArchiveAgent', { agentId: first.id });
    expect((await fixture.create({ idempotencyKey: 'k' })).archivedAt).to.be.a('string');
    await fixture.call('DeleteAgent', { agentId: first.id });
    await fixture.host.tell(first.id, { type: 'PANE_CLOSED' });
    expect(await failureOf(() => fixture.call('GetAgent', { agentId: first.id }))).to.have.property(
      'code',
      'not_found',
    );
    expect((await fixture.create({ idempotencyKey: 'k' })).id).to.equal(first.id);
  });

  it('is separate for each caller', async () => {
    const mine = await fixture.create({ idempotencyKey: 'k' });
    const theirs = await fixture.create({ idempotencyKey: 'k' }, { agentId: mine.id });
    expect(theirs.id).not.to.equal(mine.id);
    expect((await fixture.create({ idempotencyKey: 'k' }, { agentId: mine.id })).id).to.equal(theirs.id);
  });

  it('is not used up by a refused call', async () => {
    await failureOf(() => fixture.create({ idempotencyKey: 'k', dir: '/none' }));
    expect((await fixture.create({ idempotencyKey: 'k' })).idempotencyKey).to.equal('k');
  });

  it('is optional: agents without one are distinct', async () => {
    await fixture.create();
    await fixture.create({ idempotencyKey: '' });
    expect(await count()).to.equal(2);
  });
});

describe('an idempotency key of a deleted agent', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  const remove = async (agentId: string): Promise<void> => {
    await fixture.call('DeleteAgent', { agentId, force: true });
    await fixture.host.tell(agentId, { type: 'PANE_CLOSED' });
  };
  const count = async () => (await fixture.call<{ agents: unknown[] }>('ListAgents')).agents.length;

  it('returns the agent’s last state, marked as gone, and launches none', async () => {
    const given = { idempotencyKey: 'once', provisionEnabled: false };
    const { id } = await fixture.create(given);
    await fixture.host.bringUp(id);
    await fixture.host.tell(id, { type: 'READING', reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
    expect(await fixture.create(given), 'before it is deleted').not.to.have.property('deleting');
    await fixture.call('DeleteAgent', { agentId: id, force: true });
    const leaving = await fixture.create(given);
    expect(leaving).to.include({ id, stateReason: 'deleting', deleting: true });
    fixture.clock.pass(5_000);
    const at = new Date(fixture.clock.now()).toISOString();
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    fixture.clock.pass(60_000);
    for (let times = 0; times < 2; times += 1) {
      const gone = await fixture.create(given);
      expect(gone).to.include({ id, state: 'AGENT_STATE_IDLE', archivedAt: at, alive: false, idempotencyKey: 'once' });
      expect(gone.stateReason).to.contain(`deleted at ${at}`);
      expect(gone, 'once it is gone').not.to.have.property('deleting');
      await fixture.restart();
    }
    expect(await count()).to.equal(0);
  });

  it('reports the time of the deletion, even long after the archiving', async () => {
    await fixture.host.beat();
    const given = { idempotencyKey: 'archived first', provisionEnabled: false };
    const { id } = await fixture.create(given);
    await fixture.host.bringUp(id);
    await fixture.call('ArchiveAgent', { agentId: id });
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    const archived = new Date(fixture.clock.now()).toISOString();
    fixture.clock.pass(3_600_000);
    await remove(id);
    const gone = await fixture.create(given);
    expect(gone.archivedAt).to.equal(archived);
    expect(gone.stateReason).to.contain(`deleted at ${new Date(fixture.clock.now()).toISOString()}`);
  });

  it('is valid for a child that was deleted with its parent, for any caller', async () => {
    await fixture.host.beat();
    const parent = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(parent.id);
    const given = { idempotencyKey: 'child', parentAgentId: parent.id };
    const child = await fixture.create(given);
    await fixture.host.bringUp(child.id);
    await remove(parent.id);
    expect(await fixture.create(given)).to.include({ id: child.id, stateReason: 'deleting' });
    await fixture.host.tell(child.id, { type: 'PANE_CLOSED' });
    expect((await fixture.create(given)).stateReason).to.match(/^deleted at /);
    expect(await count()).to.equal(0);
  });
});

describe('the limit of agents', () => {
  let fixture: RegistryFixture;
  const agents: Made<Agent>[] = [];

  before(async () => {
    fixture = await registryFixture({ ceiling: 64 });
    for (let made = 0; made < 64; made += 1) agents.push(await fixture.create({ provisionEnabled: false }));
  });
  after(() => fixture.close());

  it('refuses the 65th agent of 64 and asks the caller to stop', async () => {
    const failure = await failureOf(() => fixture.create());
    expect(failure.code).to.equal('resource_exhausted');
    expect(failure.message).to.contain('64').and.contain('Stop').and.contain('do not retry');
  });

  it('still answers a repeated launch', async () => {
    await fixture.call('ArchiveAgent', { agentId: agents[0]?.id });
    const kept = await fixture.create({ idempotencyKey: 'last one' });
    expect((await fixture.create({ idempotencyKey: 'last one' })).id).to.equal(kept.id);
  });

  it('counts agents that are not archived, and holds for a restore too', async () => {
    const [first, second] = agents;
    await fixture.host.tell(first?.id ?? '', { type: 'PANE_CLOSED' });
    const restore = () => fixture.call('RestoreAgent', { agentId: first?.id });
    expect(await failureOf(restore)).to.have.property('code', 'resource_exhausted');
    await fixture.call('ArchiveAgent', { agentId: second?.id });
    await restore();
    expect(await failureOf(() => fixture.create())).to.have.property('code', 'resource_exhausted');
  });

  it('is not exceeded by concurrent launches', async () => {
    await fixture.call('ArchiveAgent', { agentId: agents[2]?.id });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => fixture.create()));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });
});
