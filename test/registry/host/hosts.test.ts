import { expect } from 'chai';
import type { Host } from '#contract/host/host.ts';
import { commitOn, newAgent, snapshotOf } from '#test/store/store-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { secondHost as joined } from './second-host.ts';

describe('hosts', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const list = async () => (await fixture.call<{ hosts: Host[] }>('ListHosts')).hosts;
  const stateOf = async (id = 'hst_1') => (await list()).find((host) => host.id === id)?.state;
  const isLost = async () => (await stateOf()) === 'HOST_STATE_LOST';

  const secondHost = () => joined(fixture, 'hst_2');

  it('are listed with their reports and numbers of agents', async () => {
    await fixture.create();
    const archived = await fixture.create();
    await fixture.call('ArchiveAgent', { agentId: archived.id });
    fixture.clock.pass(5000);
    await fixture.host.beat();
    expect(await list()).to.deep.equal([
      {
        id: 'hst_1',
        name: 'hst_1.example',
        state: 'HOST_STATE_ONLINE',
        stateSince: '2026-11-21T09:00:00.000Z',
        seenAt: '2026-11-21T09:00:05.000Z',
        agents: 1,
        // The archived one is still being closed.
        agentsAtWork: 2,
        launches: 1,
        harnesses: ['claude', 'codex', 'shell'],
        draining: false,
        newcomer: false,
        labels: [],
        patienceSeconds: 30,
        minDiskFreeMib: 0,
      },
    ]);
  });

  it('accept no new agents while drained, except children, and keep their agents', async () => {
    const here = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(here.id);
    const drain = (hostId: string, undo = false) => fixture.call<{ host: Host }>('DrainHost', { hostId, undo });
    expect((await drain('hst_1.example')).host).to.include({ id: 'hst_1', draining: true });
    expect((await drain('hst_1')).host).to.include({ draining: true });
    await fixture.host.beat();
    expect((await list())[0]).to.include({ draining: true, state: 'HOST_STATE_ONLINE' });
    for (const host of [undefined, 'hst_1']) {
      const refused = await failureOf(() => fixture.create({ provisionEnabled: false, ...(host && { host }) }));
      expect(refused.code).to.equal('failed_precondition');
      expect(refused.message).to.include('cordoned').and.to.include('hst_1.example');
    }
    expect((await fixture.create({ parentAgentId: here.id })).hostId).to.equal('hst_1');
    await secondHost();
    expect((await fixture.create({ provisionEnabled: false })).hostId).to.equal('hst_2');
    expect((await drain('hst_1', true)).host).to.include({ draining: false });
    expect((await fixture.create({ provisionEnabled: false, host: 'hst_1' })).hostId).to.equal('hst_1');
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: 'hst_1' });
    expect(facts.map(({ kind }) => kind)).to.deep.equal(['host.drained', 'host.drained', 'host.seen']);
    expect((await failureOf(() => drain('hst_none'))).code).to.equal('not_found');
  });

  it('get their remaining families, archived and ended ones, and the database’s mark', async () => {
    const parent = await fixture.create();
    await fixture.host.bringUp(parent.id);
    const child = await fixture.create({ parentAgentId: parent.id });
    const archived = await fixture.create();
    await fixture.call('ArchiveAgent', { agentId: archived.id });
    const gone = await fixture.create({ provisionEnabled: false });
    await fixture.call('DeleteAgent', { agentId: gone.id });
    await fixture.host.tell(gone.id, { type: 'PANE_CLOSED' });
    const { families } = fixture.host.registry;
    const { installation, left, gone: over } = await families([parent.id, child.id, archived.id, gone.id, 'agt_never']);
    expect(left.toSorted()).to.deep.equal([parent.id, archived.id].toSorted());
    expect(over).to.deep.equal([gone.id]);
    const none = { installation, left: [], gone: [], confirmed: {} };
    expect(await families([])).to.deep.equal(none);
    await fixture.restart();
    expect(await families([])).to.deep.equal(none);
    expect(installation).to.match(/^[0-9a-f-]{36}$/);
  });

  it('are lost after 30 s of silence, keep their agents, and return with a beat', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(id);
    fixture.clock.pass(29_000);
    await fixture.call('MarkAgent', { agentId: id, mark: 'a' });
    expect(await isLost()).to.equal(false);
    fixture.clock.pass(2000);
    await moment('the host is lost', isLost);
    const { agents } = await fixture.call<{ agents: { agent: { state: string } }[] }>('ListAgents');
    expect(agents[0]?.agent.state).to.equal('AGENT_STATE_THINKING');
    expect(await failureOf(() => fixture.create())).to.have.property('code', 'unavailable');
    await fixture.host.beat();
    expect(await stateOf()).to.equal('HOST_STATE_ONLINE');
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: 'hst_1' });
    expect(facts.map(({ kind }) => kind)).to.deep.equal(['host.seen', 'host.lost', 'host.silent', 'host.seen']);
  });

  it('are not lost while the registry was down', async () => {
    await fixture.restart(() => fixture.clock.pass(3_600_000));
    await fixture.host.registry.changes('hst_1', '');
    fixture.clock.pass(59_000);
    expect(await stateOf()).to.equal('HOST_STATE_ONLINE');
    fixture.clock.pass(2_000);
    await moment('the host is lost', isLost);
  });

  describe('commit their agents’ decisions', () => {
    it('and are refused with an old version or epoch', async () => {
      const { id } = await fixture.create();
      const record = await fixture.host.registry.load(id);
      const commit = { agentId: id, snapshot: record.snapshot, effects: [], done: [], facts: [], deadlines: {} };
      const { registry } = fixture.host;
      expect(await failureOf(() => registry.commit({ ...commit, epoch: 1, version: 0 }))).to.have.property(
        'code',
        'aborted',
      );
      expect(await failureOf(() => registry.commit({ ...commit, epoch: 0, version: 1 }))).to.have.property(
        'code',
        'failed_precondition',
      );
      expect((await registry.commit({ ...commit, epoch: 1, version: 1 })).version).to.equal(2);
    });

    it('and are refused with an invalid commit', async () => {
      const failure = await failureOf(() => fixture.host.registry.commit({ agentId: 'agt_1' } as never));
      expect(failure.code).to.equal('invalid_argument');
    });

    it('concurrently with operations, and lose nothing', async () => {
      const { id } = await fixture.create({ provisionEnabled: false });
      await fixture.host.bringUp(id);
      const before = (await fixture.host.registry.load(id)).version;
      const readings = Array.from({ length: 12 }, (_, turn) =>
        fixture.host.tell(id, {
          type: 'READING',
          reading: { state: turn % 2 === 0 ? 'AGENT_STATE_IDLE' : 'AGENT_STATE_THINKING', reason: String(turn) },
        }),
      );
      const names = Array.from({ length: 4 }, (_, turn) =>
        fixture.call('RenameAgent', { agentId: id, name: `name-${turn}` }),
      );
      await Promise.all([...readings, ...names]);
      const after = await fixture.host.registry.load(id);
      expect(after.version).to.be.at.least(before + 4);
      expect(after.launch.name).to.equal((after.snapshot.context as { name: string }).name);
    });
  });

  describe('read changes', () => {
    it('of each agent once since the cursor, also deleted ones', async () => {
      const { registry } = fixture.host;
      const ids = [];
      for (let made = 0; made < 3; made += 1) ids.push((await fixture.create({ provisionEnabled: false })).id);
      const all = await registry.changes('hst_1', '');
      expect(all.agents.map(({ id }) => id)).to.deep.equal(ids);
      expect((await registry.changes('hst_1', all.cursor)).agents).to.deep.equal([]);
      expect((await (await secondHost()).registry.changes('hst_2', '')).agents).to.deep.equal([]);
      const last = ids[1] ?? '';
      await fixture.call('DeleteAgent', { agentId: last });
      await fixture.host.tell(last, { type: 'PANE_CLOSED' });
      await fixture.restart();
      const moved = await registry.changes('hst_1', all.cursor);
      expect(moved.agents.map(({ id, snapshot }) => [id, snapshot.value])).to.deep.equal([[last, 'gone']]);
      expect((await registry.changes('hst_1', '')).agents.map(({ id }) => id)).not.to.include(last);
    });

    it('first of all active agents, in pages, and then of changes meanwhile', async () => {
      const { registry } = fixture.host;
      const ids = Array.from({ length: 230 }, (_, made) => `agt_${String(made).padStart(3, '0')}`);
      const archived = ids.filter((_, made) => made % 10 === 0);
      await fixture.store.write(async ({ journal }) => {
        for (const id of ids) await journal.insert(newAgent(id));
        for (const id of archived) {
          const snapshot = snapshotOf('archived', { name: id });
          await journal.commit(commitOn(id, { snapshot, done: [`${id}/1/0`] }));
        }
      });
      const first = await registry.changes('hst_1', '');
      expect(first.agents).to.have.length(100);
      await fixture.store.commitAgent(commitOn('agt_001', { done: ['agt_001/1/0'] }));
      const second = await registry.changes('hst_1', first.cursor);
      const third = await registry.changes('hst_1', second.cursor);
      const told = [first, second, third].flatMap(({ agents }) => agents.map(({ id }) => id));
      const atWork = ids.filter((id) => !archived.includes(id));
      expect(told.slice(0, atWork.length)).to.deep.equal(atWork);
      expect(told.slice(atWork.length)).to.deep.equal(['agt_001']);
      const moved = await registry.changes('hst_1', third.cursor);
      expect(moved.agents.map(({ id }) => id)).to.deep.equal(['agt_001']);
      const end = await registry.changes('hst_1', moved.cursor);
      expect(end).to.deep.equal({ agents: [], cursor: moved.cursor, more: false, departures: [] });
      expect([first, second, third, moved].map(({ more }) => more)).to.deep.equal([true, true, true, false]);
    });

    it('and are refused with an invalid cursor', async () => {
      const failure = await failureOf(() => fixture.host.registry.changes('hst_1', 'x'));
      expect(failure.code).to.equal('invalid_argument');
    });

    it('after a hint for each operation, and from the answer to their own commits', async () => {
      const { host } = fixture;
      const rungBy = async (work: () => Promise<unknown>) => {
        const before = host.bells;
        await work();
        await fixture.host.registry.changes('hst_1', '');
        return host.bells - before;
      };
      let id = '';
      const create = async () => {
        id = (await fixture.create()).id;
      };
      expect(await rungBy(create)).to.equal(1);
      const worktree = { repository: '/repo/.git', path: '/trees/x', branch: 'b', baseSha: 'a', copied: [] };
      expect(await rungBy(() => host.tell(id, { type: 'WORKTREE_READY', worktree }))).to.equal(0);
      expect(await rungBy(() => host.tell(id, { type: 'WINDOW_OPENED', paneId: '%1' }))).to.equal(0);
      const reading = { state: 'AGENT_STATE_IDLE' as const, reason: '' };
      expect(await rungBy(() => host.tell(id, { type: 'BRIEFED', reading }))).to.equal(0);
      expect(await rungBy(() => fixture.call('RenameAgent', { agentId: id, name: 'x' }))).to.equal(1);
      expect(await rungBy(() => fixture.call('MarkAgent', { agentId: id, mark: 'x' }))).to.equal(0);
    });
  });

  describe('deadlines', () => {
    const stateOfAgent = async (agentId: string) =>
      (await fixture.call<{ agent: { agent: { state: string; stateReason: string } } }>('GetAgent', { agentId })).agent
        .agent;

    it('end a step that takes too long, and cancel its effects', async () => {
      const { id } = await fixture.create();
      // The deadlines of a host that is silent for longer are put off.
      for (let left = 15 * 60_000; left > 0; left -= 10_000) {
        await fixture.host.beat();
        fixture.clock.pass(Math.min(10_000, left - 1));
      }
      expect((await stateOfAgent(id)).state).to.equal('AGENT_STATE_SETTING_UP');
      fixture.clock.pass(1);
      const late = await moment('the step is given up', async () => {
        const agent = await stateOfAgent(id);
        return agent.state === 'AGENT_STATE_FAILED_TO_CREATE' ? agent : undefined;
      });
      expect(late.stateReason).to.contain('provisioning').and.contain('too long');
      expect((await fixture.host.registry.load(id)).effects).to.deep.equal([]);
    });

    it('that passed while the registry was down leave the host time to report, and then fire', async () => {
      const { id } = await fixture.create();
      await fixture.restart(() => fixture.clock.pass(16 * 60_000));
      const due = async () => {
        const [one] = await fixture.store.read(({ deadlines }) => deadlines.of({ owner: 'agent', ownerId: id }));
        return (one?.dueAt ?? 0) - fixture.clock.now();
      };
      await moment('it is put off', async () => (await due()) === 30_000);
      for (let heard = 0; heard < 3; heard += 1) {
        await fixture.host.beat();
        fixture.clock.pass(10_000);
      }
      await moment(
        'the step is given up',
        async () => (await stateOfAgent(id)).state === 'AGENT_STATE_FAILED_TO_CREATE',
      );
    });

    it('that cannot be delivered are postponed and delay no other', async () => {
      const broken = await fixture.create();
      const record = await fixture.host.registry.load(broken.id);
      const snapshot = { value: 'a state of another time', context: record.snapshot.context };
      const commit = {
        agentId: broken.id,
        epoch: 1,
        version: 1,
        snapshot,
        effects: [],
        done: [],
        facts: [],
        deadlines: {},
      };
      await fixture.store.commitAgent(commit);
      fixture.clock.pass(1);
      const { id } = await fixture.create();
      fixture.clock.pass(15 * 60_000 - 1);
      await fixture.host.beat();
      fixture.clock.pass(1);
      await moment(
        'the other step is given up',
        async () => (await stateOfAgent(id)).state === 'AGENT_STATE_FAILED_TO_CREATE',
      );
      const isDue = async () =>
        (await fixture.store.read(({ deadlines }) => deadlines.due(10))).some(({ ownerId }) => ownerId === broken.id);
      expect(await isDue()).to.equal(false);
      fixture.clock.pass(60_000);
      expect(await isDue()).to.equal(true);
    });

    it('are removed with the step they belong to', async () => {
      const { id } = await fixture.create();
      const worktree = { repository: '/repo/.git', path: '/trees/x', branch: 'b', baseSha: 'a', copied: [] };
      await fixture.host.tell(id, { type: 'WORKTREE_READY', worktree });
      const due = await fixture.store.read(({ deadlines }) => deadlines.due(10));
      expect(due).to.deep.equal([]);
      fixture.clock.pass(24 * 3_600_000);
      const names = (await fixture.store.read(({ deadlines }) => deadlines.due(10))).map(({ name }) => name);
      expect(names).not.to.include('settingUp.provisioning');
    });
  });
});
