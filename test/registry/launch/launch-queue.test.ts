import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { secondHost } from '../host/second-host.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('a launch without room', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture({
      hostDefaults: { patienceMs: 300_000, maxLaunches: 16, maxSetups: 4, minDiskFreeMib: 1_024 },
    });
  });
  afterEach(() => fixture.close());

  const bare = { provisionEnabled: false } as const;
  const limit = (given: object, hostId = 'hst_1') => fixture.call('UpdateHost', { hostId, ...given });
  const show = async (agentId: string) =>
    (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId })).agent.agent as Agent;
  const placed = (agentId: string) =>
    moment('it is placed', async () => {
      const agent = await show(agentId);
      return agent.queued ? undefined : agent;
    });
  const waits = (agentId: string, reason: string) =>
    moment(`it waits: ${reason}`, async () => (await show(agentId)).stateReason === reason).catch(async () => {
      expect((await show(agentId)).stateReason).to.equal(reason);
    });
  const end = (agentId: string) => fixture.call('ArchiveAgent', { agentId });
  const full = 'waits for room: hst_1.example has 1 of at most 1 agents';

  it('waits in its place, over a restart, and gets the next free room', async () => {
    await limit({ maxAgents: 1 });
    const first = await fixture.create(bare);
    const second = await fixture.create(bare);
    const third = await fixture.create({ ...bare, title: 'third' });
    expect(first).to.include({ hostId: 'hst_1' }).and.not.to.have.property('queued');
    const waiting = { state: 'AGENT_STATE_SETTING_UP', queued: true, cwd: '/repo', alive: false };
    expect(second).to.include({ ...waiting, stateReason: `${full}; place 1 in the queue` });
    expect(third).to.include({ ...waiting, stateReason: `${full}; place 2 in the queue` });
    expect(second).not.to.have.property('hostId');
    const known = await fixture.host.registry.changes('hst_1', '');
    expect(known.agents.map(({ id }) => id)).to.deep.equal([first.id]);
    await fixture.restart();
    await fixture.host.beat();
    await end(first.id);
    expect(await placed(second.id)).to.include({ hostId: 'hst_1', stateReason: '', cwd: '/repo' });
    await waits(third.id, `${full}; place 1 in the queue`);
    await fixture.host.bringUp(second.id);
    expect((await show(second.id)).state).to.equal('AGENT_STATE_THINKING');
    // More room is used at once, whoever waits.
    await limit({ clear: ['maxAgents'] });
    await fixture.host.bringUp((await placed(third.id)).id ?? '');
  });

  it('is placed in order: none is overtaken, and none takes an earlier one’s room', async () => {
    await limit({ maxAgents: 1, maxLaunches: 2 });
    const ids: string[] = [(await fixture.create(bare)).id];
    for (let made = 0; made < 12; made += 1) ids.push((await fixture.create(bare)).id);
    expect((await show(ids.at(-1) ?? '')).stateReason).to.equal(`${full}; 10 or more launches are before it`);
    await limit({ maxAgents: 4 });
    // Two launches at once: of the queue, one more.
    const [, second = '', third = '', fourth = ''] = ids;
    await placed(second);
    await waits(third, 'waits for room: hst_1.example has 2 of at most 2 launches in progress; place 1 in the queue');
    for (const id of ids.slice(0, 2)) await fixture.host.bringUp(id);
    await placed(third);
    await placed(fourth);
    const rows = await Promise.all(ids.map(show));
    expect(rows.map(({ queued = false }) => queued)).to.deep.equal(ids.map((_, at) => at > 3));
    // Another host takes what waits for any host.
    const other = await secondHost(fixture, 'hst_2');
    for (const id of ids.slice(4, 6)) expect(await placed(id)).to.include({ hostId: 'hst_2' });
    await other.fallSilent();
  });

  it('waits for a free setup script, as do those without one behind it', async () => {
    const flow = await fixture.workflow({ scripts: { setup: 'npm ci' }, harness: 'claude' });
    await limit({ maxSetups: 1 });
    const first = await fixture.create({ workflowId: flow.id });
    const second = await fixture.create({ workflowId: flow.id });
    const third = await fixture.create(bare);
    const scripts = 'waits for room: hst_1.example has 1 of at most 1 setup scripts to run';
    expect(second.stateReason).to.equal(`${scripts}; place 1 in the queue`);
    expect(third.stateReason).to.equal('waits for room: earlier launches wait for hst_1.example; place 2 in the queue');
    await fixture.host.bringUp(first.id);
    expect((await placed(second.id)).hostId).to.equal('hst_1');
    await placed(third.id);
    const { launch, effects } = await fixture.host.registry.load(second.id);
    expect(launch).to.deep.include({ provision: true, scripts: { setup: 'npm ci' } });
    expect(effects.map(({ kind }) => kind)).to.deep.equal(['provisionWorktree']);
  });

  it('waits for a host with its labels: one that gets them, or one that joins', async () => {
    const flow = await fixture.workflow({ hostSelector: ['gpu=yes', 'zone=home'], ...bare });
    const lacking = 'waits for a host that can take it: no host has gpu=yes and zone=home; place 1 in the queue';
    const first = await fixture.create({ workflowId: flow.id });
    expect(first).to.include({ stateReason: lacking, queued: true });
    // A launch that names its own host is not bound by the labels of its workflow, and one that names others neither.
    expect(await fixture.create({ workflowId: flow.id, host: 'hst_1' })).to.include({ hostId: 'hst_1' });
    expect(await fixture.create({ workflowId: flow.id, hostSelector: ['name=hst_1.example'] })).to.include({
      hostId: 'hst_1',
    });
    const named = await fixture.create({ ...bare, hostSelector: ['name=hst_2.example'] });
    await limit({ setLabels: ['gpu=yes', 'zone=home'] });
    expect(await placed(first.id)).to.include({ hostId: 'hst_1' });
    await fixture.call('DrainHost', { hostId: 'hst_1' });
    const cordoned = await fixture.create({ workflowId: flow.id });
    expect(cordoned.stateReason).to.equal(
      'waits for a host that can take it: hst_1.example is cordoned; place 1 in the queue',
    );
    await secondHost(fixture, 'hst_2');
    expect(await placed(named.id)).to.include({ hostId: 'hst_2' });
    await fixture.call('DrainHost', { hostId: 'hst_1', undo: true });
    expect(await placed(cordoned.id)).to.include({ hostId: 'hst_1' });
  });

  it('waits while the disk is below its floor, or enough agents are at work, and says so', async () => {
    const reports = async (mebibytes: number) => {
      const load = { diskFreeBytes: mebibytes * 1024 ** 2, diskTotalBytes: 1024 ** 4 };
      const at = { system: 'linux x64', musterVersion: '0.1.0', startedAt: 0, protocol: 1, clock: fixture.clock.now() };
      fixture.host.condition = { ...at, load };
      fixture.clock.pass(1);
      await fixture.host.beat();
    };
    await reports(2_048);
    const parent = await fixture.create(bare);
    await fixture.host.bringUp(parent.id);
    await reports(500);
    const low = 'waits for room: hst_1.example has less than 1.0 GiB free on its disk; place 1 in the queue';
    const first = await fixture.create(bare);
    expect(first).to.include({ queued: true, stateReason: low });
    const child = await failureOf(() => fixture.create({ parentAgentId: parent.id }));
    expect(child).to.include({ code: 'resource_exhausted', reason: 'HOST_DISK_LOW' });
    const { hosts } = await fixture.call<{ hosts: Host[] }>('ListHosts');
    expect(hosts[0]?.faults?.join()).to.include(
      'disk of the worktrees: 500 MiB are free, less than the 1.0 GiB below which nothing is launched on it; run `muster clean`',
    );
    await fixture.restart();
    await reports(500);
    await waits(first.id, low);
    await reports(1_024);
    expect(await placed(first.id)).to.include({ hostId: 'hst_1' });
    await fixture.host.bringUp(first.id);
    // Both are at work. The floor is lower now, and none is below it.
    await limit({ maxAtWork: 2, minDiskFreeMib: 512 });
    await reports(600);
    const second = await fixture.create(bare);
    await waits(second.id, 'waits for room: hst_1.example has 2 of at most 2 agents at work; place 1 in the queue');
    await limit({ maxAtWork: 3 });
    await placed(second.id);
  });

  it('is archived, restored, renamed and deleted without a host', async () => {
    await limit({ maxAgents: 1 });
    const first = await fixture.create(bare);
    const [archived, deleted, last] = [
      await fixture.create(bare),
      await fixture.create(bare),
      await fixture.create(bare),
    ];
    await fixture.call('RenameAgent', { agentId: last.id, name: 'renamed' });
    await fixture.call('DeleteAgent', { agentId: deleted.id });
    expect((await failureOf(() => show(deleted.id))).code).to.equal('not_found');
    await end(archived.id);
    await waits(last.id, `${full}; place 1 in the queue`);
    // It comes back behind those that waited meanwhile.
    fixture.clock.pass(1);
    await fixture.call('RestoreAgent', { agentId: archived.id });
    await waits(archived.id, `${full}; place 2 in the queue`);
    await end(first.id);
    expect(await placed(last.id)).to.include({ name: 'renamed', hostId: 'hst_1' });
    expect((await show(archived.id)).queued).to.equal(true);
    const refused = await failureOf(() => fixture.create({ parentAgentId: archived.id }));
    expect(refused.message).to.include('it waits to be placed on a host');
  });

  it('fails if it is impossible at its turn, and a retry queues it again', async () => {
    await limit({ maxAgents: 1 });
    const first = await fixture.create(bare);
    const { id } = await fixture.create({ ...bare, dir: '/elsewhere' });
    expect((await failureOf(() => fixture.create({ ...bare, dir: '/nowhere' }))).code).to.equal('invalid_argument');
    fixture.host.directories.delete('/elsewhere');
    await end(first.id);
    await moment('it fails', async () => (await show(id)).state === 'AGENT_STATE_FAILED_TO_CREATE');
    expect((await show(id)).stateReason).to.match(/^placing: dir is "\/elsewhere", which is not a directory/);
    fixture.host.directories.set('/elsewhere', true);
    await fixture.call('RetryAgent', { agentId: id });
    expect(await placed(id)).to.include({ hostId: 'hst_1', cwd: '/elsewhere' });
  });

  it('is refused for the same reasons as with room, and a child never waits', async () => {
    const parent = await fixture.create(bare);
    await fixture.host.bringUp(parent.id);
    await limit({ maxAgents: 1 });
    expect(await fixture.create({ parentAgentId: parent.id })).to.include({ hostId: 'hst_1' });
    const selects = { parentAgentId: parent.id, hostSelector: ['gpu=yes'] };
    expect((await failureOf(() => fixture.create(selects))).message).to.include('hostSelector');
    expect((await failureOf(() => fixture.create({ ...bare, hostSelector: ['gpu'] }))).code).to.equal(
      'invalid_argument',
    );
    await fixture.call('DrainHost', { hostId: 'hst_1' });
    expect((await failureOf(() => fixture.create(bare))).isFor('HOST_DRAINED')).to.equal(true);
  });

  it('of an agent is placed with the agent’s rights at that time', async () => {
    const lead = await fixture.create(bare);
    await fixture.host.bringUp(lead.id);
    await limit({ maxAgents: 1 });
    const asked = await fixture.create({ ...bare, hostSelector: ['zone=home'] }, { agentId: lead.id });
    const other = await secondHost(fixture, 'hst_2');
    await limit({ setLabels: ['zone=home'] }, 'hst_2');
    await waits(
      asked.id,
      'waits for a host that can take it: the agent that launched it may not launch on hst_2.example; place 1 in the queue',
    );
    const own = await fixture.create(bare, { agentId: lead.id });
    await waits(own.id, `${full}; place 1 in the queue`);
    await limit({ setLabels: ['zone=home'], maxAgents: 9 });
    await placed(own.id);
    expect(await placed(asked.id)).to.include({ hostId: 'hst_1' });
    await other.fallSilent();
  });
});
