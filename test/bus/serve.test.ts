import { expect } from 'chai';
import type { Bus, Endpoint } from '#bus/bus.ts';
import type { Failure } from '#contract/failure.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type NatsFixture, natsFixture } from './nats-fixture.ts';

describe('a service on the bus', () => {
  let nats: NatsFixture;
  let gateway: Bus;
  let start: Bus;
  let registry: Bus;

  beforeEach(async () => {
    nats = await natsFixture();
    [gateway, start, registry] = await Promise.all([nats.join('gateway'), nats.join('start'), nats.join('registry')]);
  });

  afterEach(() => nats.close());

  const serving = (name: string, handle: Endpoint['handle']) => ({
    name: 'registry',
    version: '1.2.3',
    description: 'what is true',
    endpoints: [{ name, subject: `rpc.test.${name}`, handle }],
  });
  const ask = (name: string) => gateway.request(`rpc.test.${name}`, {}, { timeoutMs: 5_000 });
  const asked = (subject: string) => start.request(subject, undefined, { timeoutMs: 2_000 });

  it('distributes calls among its instances, each once', async () => {
    const counts = [0, 0];
    const second = await nats.join('registry');
    for (const [place, bus] of [registry, second].entries()) {
      await bus.serve(
        serving('Count', () => {
          counts[place] = (counts[place] ?? 0) + 1;
        }),
      );
    }
    await Promise.all(Array.from({ length: 400 }, () => ask('Count')));
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).to.equal(400);
    expect(Math.min(...counts)).to.be.above(50);
  });

  it('answers $SRV PING, INFO and STATS, for all, by name and by id', async () => {
    const { id } = await registry.serve(
      serving('Odd', () => {
        throw refusalWith('aborted', 'moved on');
      }),
    );
    await failureOf(() => ask('Odd'));
    for (const who of ['', '.registry', `.registry.${id}`]) {
      expect(await asked(`$SRV.PING${who}`)).to.deep.equal({
        type: 'io.nats.micro.v1.ping_response',
        name: 'registry',
        id,
        version: '1.2.3',
        metadata: {},
      });
    }
    expect(await asked('$SRV.INFO.registry')).to.deep.include({
      type: 'io.nats.micro.v1.info_response',
      description: 'what is true',
      endpoints: [{ name: 'Odd', subject: 'rpc.test.Odd', queue_group: 'q', metadata: {} }],
    });
    const stats = (await asked('$SRV.STATS.registry')) as { started: string; endpoints: Record<string, unknown>[] };
    expect(stats.started).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(stats.endpoints[0]).to.include({ num_requests: 1, num_errors: 1, last_error: 'aborted: moved on' });
    expect(stats.endpoints[0]?.['processing_time']).to.be.above(0);
    expect((await failureOf(() => asked('$SRV.PING.somebody'))).code).to.equal('unavailable');
  });

  it('answers requests received before its stop, and none after', async () => {
    const release = Promise.withResolvers<void>();
    let entered = 0;
    const served = await registry.serve(
      serving('Slow', async () => {
        entered += 1;
        if (entered === 1) await release.promise;
        return { done: true };
      }),
    );
    const running = ask('Slow');
    await moment('the call is being answered', () => entered === 1);
    const stopped = served.stop();
    await moment('no more calls are taken', () =>
      ask('Slow').then(
        () => false,
        (failure: Failure) => failure.code === 'unavailable',
      ),
    );
    release.resolve();
    expect(await running).to.deep.equal({ done: true });
    await stopped;
    await served.stop();
    expect((await failureOf(() => asked('$SRV.PING.registry'))).code).to.equal('unavailable');
  });

  it('limits the wait for a hung call', async () => {
    let entered = false;
    const served = await registry.serve(
      serving('Hang', () => {
        entered = true;
        return new Promise(() => {});
      }),
    );
    void ask('Hang').catch(() => undefined);
    await moment('the call is being answered', () => entered);
    const started = performance.now();
    await served.stop();
    expect(performance.now() - started).to.be.within(1_500, 10_000);
  });

  it('refuses to serve subjects without permission', async () => {
    const host = await nats.join('host');
    const failure = await failureOf(() => host.serve(serving('Count', () => ({}))));
    expect(failure.code).to.equal('permission_denied');
    expect(failure.message).to.contain('rpc.test.Count');
  });

  it('refuses names that the services protocol does not allow', async () => {
    const good = serving('Count', () => ({}));
    const wrong = [
      { ...good, name: 'the registry' },
      { ...good, version: 'one' },
      { ...good, endpoints: [{ name: 'a.b', subject: 'rpc.a', handle: () => ({}) }] },
      { ...good, endpoints: [{ name: 'a', subject: 'rpc.*', handle: () => ({}) }] },
    ];
    for (const service of wrong) {
      expect((await failureOf(() => registry.serve(service))).code).to.equal('invalid_argument');
    }
  });

  it('lets the registry call a host, which receives only its own subjects', async () => {
    const host = await nats.join('host');
    await host.serve({
      name: 'host',
      version: '1.0.0',
      endpoints: [{ name: 'attach', subject: 'host.hst_1.attach', handle: () => ({ command: ['tmux'] }) }],
    });
    expect(await registry.request('host.hst_1.attach', {}, { timeoutMs: 2_000 })).to.deep.equal({ command: ['tmux'] });
  });
});
