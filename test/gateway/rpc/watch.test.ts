import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { publishFact } from '#bus/facts.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { watchAgents } from '../http-call.ts';
import { enveloped, errorOf, openStream, type StreamCall } from '../stream-call.ts';

describe('a watch over HTTP', () => {
  let gateway: GatewayFixture;
  let rows: string[];
  const streams: StreamCall[] = [];

  const start = async (heartbeatMs = 60_000, patienceMs = 10_000) => {
    gateway = await gatewayFixture({ heartbeatMs, patienceMs });
    rows = [];
    gateway.answer('WatchAgents', ({ cursor = '0' }) => {
      const from = Number(cursor);
      const page = rows.slice(from, from + 2);
      const at = from + page.length;
      const more = at < rows.length && { more: true };
      return { agents: page.map((id) => ({ agent: { id } })), goneAgentIds: [], cursor: String(at), ...more };
    });
  };
  const open = async (message: object | Buffer = {}, headers = {}) => {
    const stream = await openStream(gateway, watchAgents, message, headers);
    streams.push(stream);
    return stream;
  };
  const move = (id: string) => {
    rows.push(id);
    publishFact(gateway.registry, { kind: 'agent.changed', seq: String(rows.length), subjectId: id });
  };
  const told = async (stream: StreamCall) => {
    const frame = await stream.next();
    const agents = (frame?.json['agents'] ?? []) as { agent: { id: string } }[];
    return { ids: agents.map(({ agent }) => agent.id), cursor: frame?.json['cursor'] };
  };

  afterEach(async () => {
    await Promise.all(streams.splice(0).map((stream) => stream.close()));
    await gateway.close();
  });

  it('returns what exists, then the end of the list, then changes', async () => {
    await start();
    rows.push('a', 'b', 'c');
    const stream = await open({ view: 'VIEW_FULL' });
    expect(await told(stream)).to.deep.equal({ ids: ['a', 'b'], cursor: '2' });
    expect(await told(stream)).to.deep.equal({ ids: ['c'], cursor: '3' });
    expect(await told(stream)).to.deep.equal({ ids: [], cursor: '3' });
    move('d');
    expect(await told(stream)).to.deep.equal({ ids: ['d'], cursor: '4' });
    expect(gateway.calls.every(({ request }) => request['view'] === 'VIEW_FULL')).to.equal(true);
  });

  it('continues from a cursor after the connection was lost', async () => {
    await start();
    rows.push('a');
    const first = await open();
    expect((await told(first)).ids).to.deep.equal(['a']);
    const { cursor } = await told(first);
    await first.close();
    move('b');
    const second = await open({ cursor });
    expect(await told(second)).to.deep.equal({ ids: ['b'], cursor: '2' });
  });

  it('is not woken by facts of another kind', async () => {
    await start();
    const stream = await open();
    await told(stream);
    const asked = gateway.calls.length;
    publishFact(gateway.registry, { kind: 'host.seen', seq: '1', subjectId: 'hst_1' });
    move('a');
    expect((await told(stream)).ids).to.deep.equal(['a']);
    expect(gateway.calls.length - asked).to.be.within(1, 2);
  });

  it('sends heartbeats, and then finds a change whose hint was lost', async () => {
    await start(100);
    const stream = await open();
    for (let beat = 0; beat < 3; beat += 1) expect(await told(stream)).to.deep.equal({ ids: [], cursor: '0' });
    rows.push('a');
    expect(await told(stream)).to.deep.equal({ ids: ['a'], cursor: '1' });
  });

  it('reads at once when the bus is back', async () => {
    await start();
    const stream = await open();
    await told(stream);
    await gateway.nats.kill();
    rows.push('a');
    await gateway.nats.restart();
    expect(await told(stream)).to.deep.equal({ ids: ['a'], cursor: '1' });
  });

  it('ends with deadline_exceeded at its deadline', async () => {
    await start();
    const stream = await open({}, { 'connect-timeout-ms': '300' });
    // On a busy machine the first answer may come too late for it.
    let frame = await stream.next();
    while (frame?.end === false) frame = await stream.next();
    expect(errorOf(frame)).to.include({ code: 'deadline_exceeded' });
  });

  it('ends with the registry’s refusal, such as of a revoked token', async () => {
    await start();
    const stream = await open();
    await told(stream);
    gateway.revoke();
    move('a');
    expect(errorOf(await stream.next())).to.include({ code: 'unauthenticated' });
    expect(await stream.next()).to.equal(undefined);
  });

  it('ends as unavailable if the registry stays down', async () => {
    await start(200, 0);
    const stream = await open();
    await told(stream);
    await gateway.registry.close();
    expect(errorOf(await stream.next())).to.include({ code: 'unavailable' });
  });

  it('fails as unavailable at once if the registry was never up', async () => {
    await start();
    await gateway.registry.close();
    expect(errorOf(await (await open()).next())).to.include({ code: 'unavailable' });
  });

  it('refuses a bad request in the protocol’s form', async () => {
    await start();
    for (const message of [{ view: 'BOGUS' }, { cursor: 5 }, Buffer.from('x'), Buffer.alloc(0)]) {
      const stream = await open(message);
      expect(errorOf(await stream.next())).to.include({ code: 'invalid_argument' });
    }
    const twice = Buffer.concat([enveloped({}), enveloped({})]);
    expect(errorOf(await (await open(twice)).next())).to.include({ code: 'invalid_argument' });
    const large = Buffer.concat([Buffer.from([0, 0xff, 0xff, 0xff, 0xff]), Buffer.from('{}')]);
    expect(errorOf(await (await open(large)).next())).to.include({ code: 'resource_exhausted' });
    gateway.answer('WatchAgents', () => {
      throw refusalWith('permission_denied', 'no');
    });
    expect(errorOf(await (await open()).next())).to.deep.equal({ code: 'permission_denied', message: 'no' });
  });

  it('stops reading after its caller disconnected', async () => {
    await start(50);
    const stream = await open();
    await told(stream);
    await stream.close();
    await moment('it asks no more', () => performance.now() - (gateway.calls.at(-1)?.at ?? 0) > 500);
  });

  it('serves many watches from one hint', async () => {
    await start();
    const many = await Promise.all(Array.from({ length: 50 }, () => open()));
    await Promise.all(many.map(told));
    move('a');
    const all = await Promise.all(many.map(told));
    expect(all).to.deep.equal(Array.from({ length: 50 }, () => ({ ids: ['a'], cursor: '1' })));
  });

  it('gives each of many a fair share of 500 answers a second', async () => {
    await start();
    const many = await Promise.all(Array.from({ length: 60 }, () => open()));
    await Promise.all(many.map(told));
    const [one] = many;
    if (one === undefined) throw new Error('none is open');
    move('first');
    await told(one);
    const began = performance.now();
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      move(id);
      expect((await told(one)).ids).to.deep.equal([id]);
    }
    // 60 of them may each have an answer every 120 ms, less what the first had already waited.
    expect(performance.now() - began).to.be.above(4 * 120);
  });

  it('survives a proxy that closes silent connections, and asks every proxy not to buffer', async () => {
    await start(200);
    const answers: IncomingMessage[] = [];
    const proxy = createServer((asked, reply) => {
      const { method, url: path, headers } = asked;
      const passed = request(
        { host: '127.0.0.1', port: gateway.port, path, method, headers, agent: false },
        (answer) => {
          answers.push(answer);
          reply.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(reply);
        },
      );
      passed.on('error', () => reply.destroy());
      passed.setTimeout(1_000, () => passed.destroy());
      asked.pipe(passed);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const stream = await openStream(
        { port: (proxy.address() as AddressInfo).port },
        watchAgents,
        {},
        {
          host: `127.0.0.1:${gateway.port}`,
        },
      );
      streams.push(stream);
      const started = performance.now();
      let frames = 0;
      while (performance.now() - started < 2_500) {
        expect((await stream.next())?.end, `after ${frames} frames`).to.equal(false);
        frames += 1;
      }
      expect(frames).to.be.above(5);
      expect(answers[0]?.headers['x-accel-buffering']).to.equal('no');
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });
});
