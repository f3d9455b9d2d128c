import { once } from 'node:events';
import { connect } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { RequestMemory } from '#gateway/http/request-memory.ts';
import { moment } from '#test/support/moment.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call, listAgents } from '../http-call.ts';

const mebibyte = 2 ** 20;
/** A request of three mebibytes without fields. */
const large = Buffer.concat([Buffer.from('{}'), Buffer.alloc(3 * mebibyte, ' ')]);
const json = { authorization, 'content-type': 'application/json' };

describe('a call in JSON over POST', () => {
  let gateway: GatewayFixture;
  let left: PromiseWithResolvers<void>;
  let reached: PromiseWithResolvers<void>;

  before(async () => {
    gateway = await gatewayFixture({ requestMemory: { inAll: 5 * mebibyte, ofOneCaller: 5 * mebibyte } });
  });
  after(() => gateway.close());
  beforeEach(() => {
    [left, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    gateway.answer('ListAgents', () => ({ nextPageToken: 'x'.repeat(3_000) }));
  });

  const holdAnswers = () =>
    gateway.answer('ListAgents', async () => {
      reached.resolve();
      await left.promise;
      return {};
    });

  describe('is compressed', () => {
    const cases = [
      ['as the caller accepts it', { 'accept-encoding': 'gzip' }, '{}', 'gzip'],
      ['by the first way of several that is known', { 'accept-encoding': 'zstd, br, gzip' }, '{}', 'br'],
      [
        'not at all without being asked, even if the request was',
        { 'content-encoding': 'gzip' },
        gzipSync('{}'),
        undefined,
      ],
    ] as const;
    for (const [how, headers, body, expected] of cases) {
      it(how, async () => {
        const answer = await call(gateway, listAgents, { headers, body });
        expect([answer.status, answer.headers['content-encoding']]).to.deep.equal([200, expected]);
      });
    }

    it('only if it is large', async () => {
      gateway.answer('ListAgents', () => ({}));
      const answer = await call(gateway, listAgents, { headers: { 'accept-encoding': 'gzip' } });
      expect([answer.headers['content-encoding'], answer.text]).to.deep.equal([undefined, '{}']);
    });
  });

  it('has the deadline of its own protocol, and none of gRPC', async () => {
    gateway.calls.length = 0;
    await call(gateway, listAgents, { headers: { 'grpc-timeout': '2S' } });
    await call(gateway, listAgents, { headers: { 'grpc-timeout': '2S', 'connect-timeout-ms': '7000' } });
    const [first = 0, second = 0] = gateway.calls.map(({ timeoutMs }) => timeoutMs);
    expect([first, second].map((ms) => Math.round(ms / 1_000))).to.deep.equal([30, 7]);
  });

  it('is read also if it arrives in pieces', async () => {
    const socket = connectTcp(gateway.port, '127.0.0.1').setEncoding('utf8');
    const head = Object.entries(json).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST ${listAgents} HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\nconnection: close\r\n`);
    socket.write(`${head.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\n`);
    for (const piece of ['{"arc', 'hived":', 'true}']) {
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
      // The gateway has read the piece once it answers another caller who asked after it.
      await call(gateway, listAgents);
    }
    socket.write('0\r\n\r\n');
    const [text] = await once(socket, 'data');
    expect(text).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    expect(gateway.calls.at(-1)?.request).to.deep.equal({ archived: true });
    socket.destroy();
  });

  for (const [how, leave] of [
    ['resets its stream', (stream: ReturnType<ReturnType<typeof connect>['request']>) => stream.close(8)],
    ['cuts its connection', (stream: ReturnType<ReturnType<typeof connect>['request']>) => stream.session?.destroy()],
  ] as const) {
    it(`gives its memory back if the caller ${how} before the answer`, async () => {
      holdAnswers();
      const session = connect(gateway.url).on('error', () => undefined);
      const stream = session.request({ ':method': 'POST', ':path': listAgents, ...json }).on('error', () => undefined);
      stream.end(large);
      await reached.promise;
      leave(stream);
      await once(stream, 'close');
      left.resolve();
      await moment('the memory is released', async () => {
        const { status } = await call(gateway, listAgents, { body: large });
        return status === 200;
      });
      session.destroy();
    });
  }

  it('takes no memory any more for what arrives after its refusal', () => {
    const memory = new RequestMemory({ inAll: 10, ofOneCaller: 10 });
    const lease = memory.lease('someone');
    lease.add(8);
    lease.end();
    expect(() => lease.add(8)).to.throw('ended');
    expect(() => memory.lease('someone').add(10)).not.to.throw();
  });
});
