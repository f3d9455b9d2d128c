import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type { GatewayOptions } from '#gateway/gateway.ts';
import { defaultConnectionTimes } from '#gateway/http/http-server.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { call, listAgents, watchAgents } from '#test/gateway/http-call.ts';
import { framed } from '#test/gateway/wire-bytes.ts';
import { moment } from '#test/support/moment.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
const few = { unauthenticatedPerNetwork: 20, unauthenticated: 40, ofOneToken: 30, holders: 60 };
const folder = join(import.meta.dirname, '..', '..', 'gateway', 'tls');
const tls = {
  cert: readFileSync(join(folder, 'localhost.cert.pem')),
  key: readFileSync(join(folder, 'localhost.key.pem')),
};

describe('an attack with connections', () => {
  let gateway: GatewayFixture;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await gateway.close();
  });

  const start = async (options: Partial<GatewayOptions> = {}) => {
    gateway = await gatewayFixture(options);
  };
  const times = (more: Partial<typeof defaultConnectionTimes>) => ({
    connectionTimes: { ...defaultConnectionTimes, ...more },
  });
  async function open(bytes: Buffer | string = ''): Promise<Socket> {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (bytes.length > 0) socket.write(bytes);
    return socket;
  }
  const closed = (socket: Socket) => {
    socket.resume();
    return moment('it is ended', () => socket.destroyed || socket.readableEnded);
  };

  for (const [what, bytes] of [
    ['prefaces of HTTP/2', preface],
    ['nothing', ''],
    ['half a head', 'POST / HTTP/1.1\r\nX: '],
  ] as const) {
    it(`with many that send ${what} locks out no caller with a token, even from the same address`, async () => {
      await start({ connections: few });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const kept = () =>
        new Promise<readonly [number | undefined, boolean]>((resolve, reject) => {
          const headers = { authorization, 'content-type': 'application/json' };
          const to = { host: '127.0.0.1', port: gateway.port, path: listAgents, method: 'POST', headers, agent };
          const asked = request(to, (answer) => {
            answer.resume().on('end', () => resolve([answer.statusCode, asked.reusedSocket]));
          });
          asked.on('error', reject);
          asked.end('{}');
        });
      expect(await kept()).to.deep.equal([200, false]);
      const crowd = await Promise.all(Array.from({ length: 100 }, () => open(bytes)));
      for (const socket of crowd) socket.resume();
      expect(await kept(), 'its connection is kept').to.deep.equal([200, true]);
      expect((await call(gateway, listAgents)).status, 'a new one is taken').to.equal(200);
      await moment(
        'the oldest are ended',
        () => crowd.filter(({ readableEnded, destroyed }) => readableEnded || destroyed).length >= 80,
      );
      agent.destroy();
    });
  }

  it('with many of one token is limited too', async () => {
    await start({ connections: few });
    const head = `POST ${listAgents} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nAuthorization: ${authorization}\r\n`;
    const crowd: Socket[] = [];
    for (let count = 0; count < 40; count += 1) {
      const socket = await open(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
      crowd.push(socket);
      await once(socket, 'data');
    }
    await moment('the oldest are ended', () => crowd.slice(0, 10).every(({ readableEnded }) => readableEnded));
  });

  it('that open HTTP/2 without a request is closed, whatever frames they send', async () => {
    await start(times({ unauthenticatedIdleMs: 300 }));
    const session = connectHttp2(gateway.url);
    session.on('error', () => undefined);
    await once(session, 'connect');
    const pings = setInterval(() => session.closed || session.destroyed || session.ping(() => undefined), 50);
    await moment('it is ended', () => session.destroyed);
    clearInterval(pings);
    const half = await open(Buffer.concat([preface, Buffer.from([0, 0, 10, 1, 0, 0, 0, 0, 1, 0x82])]));
    await closed(half);
  });

  it('that half-close HTTP/2 is closed', async () => {
    await start();
    for (let count = 0; count < 20; count += 1) {
      const socket = await open(preface);
      if (count % 2 === 0) await once(socket, 'data');
      socket.end();
      await closed(socket);
    }
  });

  it('that send pings, settings or cancelled requests without end is closed', async () => {
    await start();
    const pings = await open(preface);
    for (let count = 0; count < 2_000; count += 1)
      pings.write(Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]));
    await closed(pings);
    const settings = await open(preface);
    for (let count = 0; count < 2_000; count += 1) settings.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    await closed(settings);
    const session = connectHttp2(gateway.url);
    session.on('error', () => undefined);
    await once(session, 'connect');
    const cancel = setInterval(() => {
      for (let count = 0; count < 100 && !session.closed && !session.destroyed; count += 1) {
        const stream = session.request({ ':method': 'POST', ':path': listAgents, authorization });
        stream.on('error', () => undefined);
        stream.close(8);
      }
    }, 20);
    await moment('it is ended', () => session.destroyed || session.closed);
    clearInterval(cancel);
    expect((await call(gateway, listAgents)).status).to.equal(200);
  });

  it('that never begin TLS is closed', async () => {
    await start({ tls, ...times({ handshakeMs: 300 }) });
    await closed(await open());
    await closed(await open(Buffer.from([0x16, 3, 1, 2])));
  });

  describe('slow readers', () => {
    const large = { goneAgentIds: ['x'.repeat(2 * 1024 * 1024)], cursor: '1' };
    let asked: number;
    beforeEach(async () => {
      await start(times({ stallMs: 600 }));
      asked = 0;
      gateway.answer('WatchAgents', () => {
        asked += 1;
        return { ...large, cursor: String(asked) };
      });
    });
    const watch = framed(Buffer.from('{}'));

    it('of a stream are disconnected, and buffer little meanwhile', async () => {
      const socket = await open(
        `POST ${watchAgents} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nAuthorization: ${authorization}\r\n` +
          `Content-Type: application/connect+json\r\nContent-Length: ${watch.length}\r\n\r\n`,
      );
      socket.write(watch);
      await moment('the watch is answered', () => asked > 0);
      await moment('it is over', () => gateway.log.lines.some((line) => line.startsWith('answered')));
      expect(asked, 'messages that were made for nobody').to.be.below(10);
    });

    it('of an HTTP/2 stream are disconnected', async () => {
      const session = connectHttp2(gateway.url);
      session.on('error', () => undefined);
      const stream = session.request({
        ...{ ':method': 'POST', ':path': watchAgents, authorization, 'content-type': 'application/connect+json' },
      });
      stream.on('error', () => undefined);
      stream.end(watch);
      await moment('the watch is answered', () => asked > 0);
      await moment('it is over', () => gateway.log.lines.some((line) => line.startsWith('answered')));
      expect(asked).to.be.below(10);
      session.destroy();
    });
  });

  it('speak unencrypted HTTP/2 only if enabled', async () => {
    await start({ h2c: false });
    const socket = await open(preface);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(String(bytes)).to.match(/^HTTP\/1\.1 505 .*"code":"unimplemented".*MUSTER_H2C/s);
    await closed(socket);
  });
});
