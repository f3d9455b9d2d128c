import { expect } from 'chai';
import type { Bus } from '#bus/bus.ts';
import { onEachFact, publishFact } from '#bus/facts.ts';
import { hintHost, onHostHint } from '#bus/hints.ts';
import { moment } from '#test/support/moment.ts';
import { type NatsFixture, natsFixture } from './nats-fixture.ts';

describe('hints on the bus', () => {
  let nats: NatsFixture;
  let gateway: Bus;
  let host: Bus;
  let registry: Bus;

  beforeEach(async () => {
    nats = await natsFixture();
    [gateway, host, registry] = await Promise.all([nats.join('gateway'), nats.join('host'), nats.join('registry')]);
    await registry.serve({
      name: 'registry',
      version: '1.0.0',
      endpoints: [
        { name: 'Gateway', subject: 'rpc.ping', handle: () => ({}) },
        { name: 'Host', subject: 'registry.from.hst_1.ping', handle: () => ({}) },
      ],
    });
  });

  afterEach(() => nats.close());

  /** The earlier subscriptions of a bus are active once a request was answered. */
  const listens = async () => {
    await gateway.request('rpc.ping', {}, { timeoutMs: 2_000 });
    await host.request('registry.from.hst_1.ping', {}, { timeoutMs: 2_000 });
  };

  it('deliver facts with their kind and subject, until they are unsubscribed', async () => {
    const heard: unknown[] = [];
    const all = onEachFact(gateway, (...hint) => heard.push(hint));
    await listens();
    publishFact(registry, { kind: 'host.seen', seq: '1', subjectId: 'hst_1' });
    publishFact(registry, { kind: 'agent.gone', seq: '2', subjectId: 'agt_1' });
    await moment('the last is heard', () => heard.length >= 2);
    expect(heard).to.deep.equal([
      ['host.seen', 'hst_1'],
      ['agent.gone', 'agt_1'],
    ]);
    all.close();
    const after: unknown[] = [];
    onEachFact(gateway, (kind) => after.push(kind));
    await listens();
    publishFact(registry, { kind: 'agent.gone', seq: '4', subjectId: 'agt_1' });
    await moment('it is heard', () => after.length > 0);
    expect(heard).to.have.length(2);
  });

  it('contain a fact’s position in the log, not its content', async () => {
    const heard: unknown[] = [];
    gateway.subscribe('fact.>', (body) => heard.push(body));
    await listens();
    publishFact(registry, { kind: 'agent.gone', seq: '9223372036854775807', subjectId: 'agt_1' });
    await moment('it is heard', () => heard.length === 1);
    expect(heard).to.deep.equal([{ kind: 'agent.gone', seq: '9223372036854775807', subjectId: 'agt_1' }]);
  });

  it('during a check are coalesced into one more check', async () => {
    let looks = 0;
    const first = Promise.withResolvers<void>();
    onHostHint(host, 'hst_1', async () => {
      looks += 1;
      if (looks === 1) await first.promise;
    });
    await listens();
    hintHost(registry, 'hst_1');
    await moment('the first look is under way', () => looks === 1);
    for (let n = 0; n < 20; n += 1) hintHost(registry, 'hst_1');
    hintHost(registry, 'hst_2');
    await registry.request('host.none', {}, { timeoutMs: 500 }).catch(() => undefined);
    await listens();
    first.resolve();
    await moment('one more look follows', () => looks === 2);
    await listens();
    expect(looks).to.equal(2);
  });

  it('trigger a check after a reconnect, and none after close', async () => {
    let looks = 0;
    const bell = onHostHint(host, 'hst_1', async () => {
      looks += 1;
    });
    let moved = 0;
    onEachFact(gateway, () => {
      moved += 1;
    });
    await nats.kill();
    await moment('the loss is noticed', () => !host.connected && !gateway.connected && !registry.connected);
    await nats.restart();
    await moment('both look', () => looks === 1 && moved === 1);
    bell.close();
    await moment('the registry is back', () => registry.connected);
    await listens();
    hintHost(registry, 'hst_1');
    await listens();
    expect(looks).to.equal(1);
  });
});
