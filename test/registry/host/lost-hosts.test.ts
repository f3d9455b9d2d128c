import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { AgentSummary } from '#contract/agent/agent-summary.ts';
import type { Host } from '#contract/host/host.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { secondHost } from './second-host.ts';

describe('agents of a lost host', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const lose = async () => {
    fixture.clock.pass(31_000);
    await moment('the host is lost', async () => {
      const { hosts } = await fixture.call<{ hosts: Host[] }>('ListHosts', {});
      return hosts[0]?.state === 'HOST_STATE_LOST';
    });
  };
  const show = async (agentId: string) =>
    (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId })).agent.agent as Agent;

  const lifeOf = ({ alive, lastKnownAt }: Agent) => [alive, lastKnownAt];

  it('show their last known state and its time, and no live pane', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(id);
    expect(lifeOf(await show(id))).to.deep.equal([true, undefined]);
    await lose();
    const shown = await show(id);
    expect(shown).to.include({ state: 'AGENT_STATE_THINKING', lastKnownAt: '2026-11-21T09:00:00.000Z' });
    expect(shown.alive).to.equal(undefined);
    const summarized = { since: '2026-11-21T08:00:00.000Z' };
    const { agents } = await fixture.call<{ agents: AgentSummary[] }>('SummarizeAgents', summarized);
    expect(agents[0]).to.include({ agentId: id, lastKnownAt: '2026-11-21T09:00:00.000Z' });
    await fixture.restart();
    expect((await show(id)).lastKnownAt).to.equal('2026-11-21T09:00:00.000Z');
    await fixture.host.beat();
    expect(lifeOf(await show(id))).to.deep.equal([true, undefined]);
  });

  it('are known to be at rest if their pane had ended before', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(id);
    await fixture.host.tell(id, { type: 'PANE_GONE', reason: 'it ended', briefed: true });
    const launching = await fixture.create({ provisionEnabled: false });
    await lose();
    expect(lifeOf(await show(id))).to.deep.equal([false, undefined]);
    expect(lifeOf(await show(launching.id))).to.deep.equal([false, '2026-11-21T09:00:00.000Z']);
  });

  it('reach watchers when the host is lost and when it is back', async () => {
    const other = await secondHost(fixture, 'hst_2');
    const ids: string[] = [];
    for (let made = 0; made < 12; made += 1) {
      ids.push((await fixture.create({ provisionEnabled: false, host: 'hst_1' })).id);
      await fixture.host.bringUp(ids.at(-1) ?? '');
    }
    await other.bringUp((await fixture.create({ provisionEnabled: false, host: 'hst_2' })).id);
    interface Watched {
      readonly agents: AgentRow[];
      readonly cursor: string;
    }
    const follow = async (cursor: string) => {
      const known = new Map<string, string | undefined>();
      for (let at = cursor; ; ) {
        const { agents, cursor: next } = await fixture.call<Watched>('WatchAgents', { cursor: at });
        for (const { agent } of agents) known.set(agent?.id ?? '', agent?.lastKnownAt);
        if (agents.length === 0) return { known, cursor: next };
        at = next;
      }
    };
    const all = await follow((await fixture.call<Watched>('WatchAgents', {})).cursor);
    fixture.clock.pass(31_000);
    await other.beat();
    await moment('it is lost', async () => (await show(ids[0] ?? '')).lastKnownAt);
    const lost = await follow(all.cursor);
    expect([...lost.known.keys()].toSorted()).to.deep.equal(ids.toSorted());
    expect(new Set(lost.known.values())).to.deep.equal(new Set(['2026-11-21T09:00:00.000Z']));
    await fixture.host.beat();
    const back = await follow(lost.cursor);
    expect([...back.known.keys()].toSorted()).to.deep.equal(ids.toSorted());
    expect(new Set(back.known.values())).to.deep.equal(new Set([undefined]));
  });

  it('cause a notice with the host’s name: once on the loss, once on the return, never on the first beat', async () => {
    const posted: { event: string; text: string; host?: Record<string, unknown> }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        posted.push(JSON.parse(body) as (typeof posted)[number]);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    try {
      await fixture.workflow({ notify: { webhook: `${webhook}/workflow` } });
      await fixture.call('UpdateNotify', { notify: { webhook } });
      await fixture.create({ provisionEnabled: false });
      await lose();
      await moment('a notice', () => posted.length > 0);
      await fixture.host.beat();
      await moment('another notice', () => posted.length > 1);
      await fixture.call('UpdateNotify', { notify: { webhook, on: ['NOTICE_KIND_HOST_LOST'] } });
      await secondHost(fixture, 'hst_2');
      await lose();
      await moment('of both hosts', () => posted.length > 3);
      expect(posted.map(({ event }) => event)).to.deep.equal(['host-lost', 'host-back', 'host-lost', 'host-lost']);
      expect(posted[0]?.text).to.equal(
        'host hst_1.example has been silent since 2026-11-21T09:00:00.000Z: the states of its agent are that old',
      );
      expect(posted[0]?.host).to.deep.equal({
        id: 'hst_1',
        name: 'hst_1.example',
        seenAt: '2026-11-21T09:00:00.000Z',
        agents: 1,
      });
      expect(posted[1]?.text).to.equal('host hst_1.example is back');
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
