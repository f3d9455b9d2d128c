import type { NatsConnection } from '@nats-io/nats-core';
import { expect } from 'chai';
import type { Bus } from '#bus/bus.ts';
import { hintPane } from '#bus/hints.ts';
import { paneSubject } from '#bus/subjects.ts';
import { hostInPaneCursor } from '#contract/pane/pane-cursor.ts';
import { paneSource } from '#gateway/rpc/watch/pane-source.ts';
import { type NatsFixture, natsFixture } from '#test/bus/nats-fixture.ts';
import { moment } from '#test/support/moment.ts';

const agentId = 'agt_1';

/** Any host may publish hints about any agent, in its own name: the bus does not know where agents are. */
describe('hints about a pane', () => {
  let nats: NatsFixture;
  let gateway: Bus;
  let host: Bus;
  let evil: NatsConnection;
  beforeEach(async () => {
    nats = await natsFixture();
    gateway = await nats.join('gateway');
    host = await nats.joinHost('hst_1');
    evil = await nats.connect('host', 'hst_evil');
  });
  afterEach(async () => {
    await evil.close();
    await nats.close();
  });

  /** The watch of a gateway, whose registry says where the agent is. */
  async function watched(placed: () => string) {
    let rung = 0;
    const source = paneSource(gateway, agentId, async () => ({ cursor: `${placed()}:digest` }));
    const hints = source.listen(() => {
      rung += 1;
    });
    // The gateway hears what is published after this.
    await gateway.roundTrip();
    return { rung: () => rung, ask: source.ask, hints };
  }
  async function forge(): Promise<void> {
    evil.publish(paneSubject('hst_evil', agentId));
    await evil.flush();
    await gateway.roundTrip();
  }
  /** A hint of the agent's own host, after which no earlier one is on its way. */
  async function ring(from: Bus, hostId: string): Promise<void> {
    hintPane(from, hostId, agentId);
    await from.roundTrip();
    await gateway.roundTrip();
  }

  it('count only from the agent’s host, by the registry’s answer', async () => {
    const watch = await watched(() => 'hst_1');
    await watch.ask('');
    await forge();
    expect(watch.rung(), 'another host').to.equal(0);
    await ring(host, 'hst_1');
    await moment('its own host', () => watch.rung() === 1);
    await forge();
    await ring(host, 'hst_1');
    await moment('its own host again', () => watch.rung() === 2);
    watch.hints.close();
    await ring(host, 'hst_1');
    expect(watch.rung(), 'closed').to.equal(2);
  });

  it('that arrive before the first answer count once it names their host', async () => {
    const other = await nats.joinHost('hst_2');
    let place = 'hst_2';
    const answered = Promise.withResolvers<void>();
    let rung = 0;
    const source = paneSource(gateway, agentId, async () => {
      await answered.promise;
      return { cursor: `${place}:digest` };
    });
    source.listen(() => {
      rung += 1;
    });
    await gateway.roundTrip();
    const asking = source.ask('');
    await forge();
    await ring(other, 'hst_2');
    expect(rung, 'nobody knows yet whose they are').to.equal(0);
    answered.resolve();
    await asking;
    expect(rung).to.equal(1);
    // It follows an agent that moves.
    place = 'hst_1';
    await source.ask('');
    await ring(other, 'hst_2');
    expect(rung).to.equal(1);
    await ring(host, 'hst_1');
    await moment('its new host', () => rung === 2);
  });

  it('a cursor names the host, also if its own part has the mark', () => {
    expect(hostInPaneCursor('hst_1:a:b')).to.equal('hst_1');
    expect(hostInPaneCursor('digest')).to.equal(undefined);
  });
});
