import { expect } from 'chai';
import type { Bus } from '#bus/bus.ts';
import { connectBus } from '#bus/connection.ts';
import { makeBusKeys } from '#bus/identity/bus-keys.ts';
import type { Failure } from '#contract/failure.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { logProbe } from './log-probe.ts';
import { credentialOf, type NatsFixture, natsFixture } from './nats-fixture.ts';

describe('the connection to the bus', () => {
  let nats: NatsFixture;
  let gateway: Bus;
  let registry: Bus;

  beforeEach(async () => {
    nats = await natsFixture();
    [gateway, registry] = await Promise.all([nats.join('gateway'), nats.join('registry')]);
    await registry.serve({
      name: 'registry',
      version: '1.0.0',
      endpoints: [{ name: 'Echo', subject: 'rpc.test.Echo', handle: (body) => body }],
    });
  });

  afterEach(() => nats.close());

  const echo = (timeoutMs = 1_000) => gateway.request('rpc.test.Echo', 1, { timeoutMs });
  const worksAgain = () => moment('requests work again', () => echo().catch(() => undefined));

  it('survives a kill and restart of the server', async () => {
    let heard = 0;
    let back = 0;
    gateway.subscribe('fact.test', () => {
      heard += 1;
    });
    gateway.onReconnect(() => {
      back += 1;
    });
    await nats.kill();
    await moment('the loss is noticed', () => !gateway.connected && !registry.connected);
    const started = performance.now();
    expect((await failureOf(() => echo(400))).code).to.equal('unavailable');
    expect(performance.now() - started).to.be.below(3_000);
    // Long enough for several tries to connect.
    expect((await failureOf(() => echo(10_000))).code).to.equal('unavailable');
    expect(performance.now() - started).to.be.within(3_000, 9_500);
    registry.publish('fact.test');
    await nats.restart();
    expect(await worksAgain()).to.equal(1);
    expect(back).to.equal(1);
    registry.publish('fact.test');
    await moment('hints are heard again', () => heard === 1);
  });

  it('carries a request over a short outage', async () => {
    await nats.kill();
    await moment('the loss is noticed', () => !gateway.connected && !registry.connected);
    // The one that answers may be back a little later than the one that asks.
    const asked = echo(10_000).catch((failure: Failure) => failure.message);
    await nats.restart();
    expect(await asked).to.be.oneOf([1, 'Nobody answers on rpc.test.Echo right now: try again']);
    expect(await worksAgain()).to.equal(1);
  });

  it('fails requests at their deadline while the server hangs, and recovers afterwards', async () => {
    nats.signal('SIGSTOP');
    try {
      const failure = await failureOf(() => echo(300));
      expect(failure.code).to.equal('deadline_exceeded');
    } finally {
      nats.signal('SIGCONT');
    }
    expect(await worksAgain()).to.equal(1);
  });

  it('detects a hung server within 16 s', async () => {
    nats.signal('SIGSTOP');
    try {
      await moment('the silence is noticed', () => !gateway.connected, 16_000);
      expect((await failureOf(() => echo(300))).code).to.equal('unavailable');
    } finally {
      nats.signal('SIGCONT');
    }
    expect(await worksAgain()).to.equal(1);
  });

  it('waits for a bus that is not up yet', async () => {
    await nats.kill();
    const log = logProbe();
    const joining = nats.join('gateway', { log });
    await moment('it has tried in vain', () => log.lines.length > 0);
    await nats.restart();
    expect((await joining).connected).to.equal(true);
  });

  it('stops waiting on abort', async () => {
    await nats.kill();
    const ending = new AbortController();
    const log = logProbe();
    const joining = nats.join('gateway', { log, signal: ending.signal });
    await moment('it has tried in vain', () => log.lines.length > 0);
    ending.abort();
    expect((await failureOf(() => joining)).code).to.equal('canceled');
    await nats.restart();
  });

  it('reports a refused credential or an invalid address at once', async () => {
    const credential = await credentialOf(makeBusKeys(), { kind: 'gateway' });
    const wrong = await failureOf(() => nats.join('gateway', { credential }));
    expect(wrong.code).to.equal('unauthenticated');
    expect((await failureOf(() => connectBus({ url: 'ws://127.0.0.1:1' }))).code).to.equal('invalid_argument');
  });

  it('closes cleanly while the server is down', async () => {
    await nats.kill();
    await moment('the loss is noticed', () => !gateway.connected && !registry.connected);
    const started = performance.now();
    await Promise.all([gateway.close(), registry.close()]);
    expect(performance.now() - started).to.be.below(15_000);
    await nats.restart();
  });

  it('continues if a listener throws', async () => {
    const log = logProbe();
    const bus = await nats.join('gateway', { log });
    let heard = 0;
    bus.subscribe('fact.test', () => {
      heard += 1;
      throw new Error('deaf');
    });
    await bus.request('rpc.test.Echo', {}, { timeoutMs: 1_000 });
    registry.publish('fact.test', { n: 1 });
    registry.publish('fact.test', { n: 2 });
    await moment('both are heard', () => heard === 2);
    expect(log.lines.join('\n')).to.contain('deaf');
  });
});
