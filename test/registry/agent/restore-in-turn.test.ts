import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { moment } from '#test/support/moment.ts';
import { secondHost } from '../host/second-host.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const gone = (kind: 'rebooted' | 'terminal-lost'): AgentEvent => ({
  type: 'PANE_GONE',
  reason: 'the terminal ended',
  briefed: true,
  at: 1,
  lost: true,
  ending: { kind },
});

describe('restoring agents that lost their windows', () => {
  let fixture: RegistryFixture;
  let ids: string[];

  before(async () => {
    fixture = await registryFixture({
      hostDefaults: { patienceMs: 30_000, maxLaunches: 2, maxSetups: 4, minDiskFreeMib: 0 },
    });
  });
  after(() => fixture.close());

  const agent = async (id: string) =>
    (await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId: id })).agent.agent;
  const launch = async (count: number, workflowId?: string): Promise<void> => {
    ids = [];
    for (let at = 0; at < count; at += 1) {
      const { id } = await fixture.create({ provisionEnabled: false, ...(workflowId && { workflowId }) });
      await fixture.host.bringUp(id);
      ids.push(id);
    }
  };
  const lose = async (kind: 'rebooted' | 'terminal-lost') => {
    for (const id of ids) await fixture.host.tell(id, gone(kind));
  };
  const starting = async () => {
    const agents = await Promise.all(ids.map(agent));
    return agents.flatMap(({ state, id }) => (state === 'AGENT_STATE_SETTING_UP' ? [id ?? ''] : []));
  };
  const open = async (id: string) => {
    await fixture.host.tell(id, { type: 'WINDOW_OPENED', paneId: '%9' });
    await fixture.host.tell(id, { type: 'READING', reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
  };
  /** Opens the windows of all as they come up, and gives how many were starting each time. */
  const openAll = async (): Promise<number[]> => {
    const seen: number[] = [];
    for (let left = ids.length; left > 0; left -= 1) {
      const expected = Math.min(2, left);
      const [first] = await moment(`${expected} to start`, async () => {
        const now = await starting();
        return now.length >= expected ? now : undefined;
      });
      seen.push((await starting()).length);
      await open(first ?? '');
    }
    return seen;
  };

  it('happens in turn, as many at a time as their host may start', async () => {
    await launch(4);
    await lose('terminal-lost');
    for (const agentId of ids) {
      const answer = await fixture.call<{ agent: Agent }>('RestoreAgent', { agentId, inTurn: true });
      expect(answer.agent.id).to.equal(agentId);
    }
    await fixture.call('RestoreAgent', { agentId: ids[3], inTurn: true });
    expect(await openAll()).to.deep.equal([2, 2, 2, 1]);
    expect((await agent(ids[3] ?? '')).state).to.equal('AGENT_STATE_IDLE');
  });

  it('happens on its own after a restart of the computer, if the workflow says so, but not to those that a person holds', async () => {
    const flow = await fixture.workflow({ onBoot: 'ON_BOOT_RESTORE' });
    await launch(3, flow.id);
    const held = ids.pop() ?? '';
    await fixture.call('HoldAgent', { agentId: held });
    await lose('rebooted');
    await fixture.host.tell(held, gone('rebooted'));
    expect(await openAll()).to.deep.equal([2, 1]);
    expect(await agent(held)).to.include({ windowLost: true });
  });

  it('does not happen on its own otherwise', async () => {
    const flow = await fixture.workflow({ onBoot: 'ON_BOOT_RESTORE' });
    await launch(1, flow.id);
    await lose('terminal-lost');
    const [restored] = ids;
    await launch(1);
    await lose('rebooted');
    const [left] = ids;
    // What comes after them in the queue has its turn after them.
    await launch(1);
    await lose('rebooted');
    await fixture.call('RestoreAgent', { agentId: ids[0], inTurn: true });
    await openAll();
    for (const id of [restored, left]) expect(await agent(id ?? '')).to.include({ windowLost: true });
  });

  it('is forgotten if the agent is archived first', async () => {
    await fixture.call('UpdateHost', { hostId: 'hst_1', maxLaunches: 1 });
    await launch(2);
    await lose('rebooted');
    const [first = '', second = ''] = ids;
    for (const agentId of ids) await fixture.call('RestoreAgent', { agentId, inTurn: true });
    await moment('the first to start', async () => (await starting()).includes(first) || undefined);
    await fixture.call('ArchiveAgent', { agentId: second });
    await open(first);
    await moment('the queue to be empty', () =>
      fixture.store.read(async ({ pendingRestores }) => (await pendingRestores.inOrder()).length === 0 || undefined),
    );
    expect((await agent(second)).archivedAt).to.be.a('string');
  });

  it('is reported if it is refused when its turn comes', async () => {
    await fixture.call('UpdateHost', { hostId: 'hst_1', maxLaunches: 1 });
    await launch(2);
    const [first = '', parentAgentId = ''] = ids;
    const { id: child } = await fixture.create({ parentAgentId });
    await fixture.host.bringUp(child);
    ids = [first, child];
    await lose('terminal-lost');
    for (const agentId of ids) await fixture.call('RestoreAgent', { agentId, inTurn: true });
    await moment('the first to start', async () => (await starting()).includes(first) || undefined);
    await secondHost(fixture, 'hst_2');
    // As after a move in which the child stayed behind.
    await fixture.store.write(async ({ agents, journal }) => {
      const parent = await agents.find(parentAgentId);
      if (parent)
        await journal.placeAnew(parent, {
          host: 'hst_2',
          epoch: 2,
          cwd: '/repo',
          lastKnownAt: null,
          hostRemovedAt: null,
        });
    });
    await open(first);
    const { facts } = await moment('the refusal', async () => {
      const page = await fixture.call<{ facts: readonly { detail: string }[] }>('ListFacts', {
        subjectId: child,
        kinds: ['agent.restore-refused'],
      });
      return page.facts.length > 0 ? page : undefined;
    });
    expect(facts).to.have.length(1);
    expect(JSON.parse(facts[0]?.detail ?? ''))
      .to.have.property('reason')
      .that.matches(/its parent .* is on another host/);
    expect(await agent(child)).to.include({ windowLost: true });
  });
});
