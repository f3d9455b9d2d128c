import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get, Agent as HttpAgent } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startGateway } from '#gateway/gateway.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { authorization, type GatewayFixture, gatewayFixture } from './gateway-fixture.ts';
import { call, listAgents, watchAgents } from './http-call.ts';
import { openStream } from './stream-call.ts';

const tls = {
  cert: readFileSync(join(import.meta.dirname, 'tls', 'localhost.cert.pem')),
  key: readFileSync(join(import.meta.dirname, 'tls', 'localhost.key.pem')),
};

describe('the gateway', () => {
  let gateway: GatewayFixture;

  afterEach(() => gateway.close());

  it('answers the curl of the documentation', async () => {
    gateway = await gatewayFixture();
    const { stdout } = await promisify(execFile)('curl', [
      '-s',
      '-X',
      'POST',
      `${gateway.url}${listAgents}`,
      '-H',
      'Content-Type: application/json',
      '-H',
      `Authorization: ${authorization}`,
      '-d',
      '{}',
    ]);
    expect(stdout).to.equal('{}');
  });

  it('is live on its own, ready only while bus and registry answer, and names what does not', async () => {
    gateway = await gatewayFixture();
    const look = async (path: string) => {
      const started = performance.now();
      const answer = await call(gateway, path, {
        method: 'GET',
        headers: { authorization: null, 'content-type': null },
      });
      expect(performance.now() - started).to.be.below(8_000);
      expect(answer.text).not.to.include('nats://');
      const { bus, registry, status } = (answer.json ?? {}) as Record<string, { ok: boolean; why?: string }>;
      return { status: answer.status, said: status, bus, registry };
    };
    const alive = async () => expect(await look('/healthz')).to.include({ status: 200, said: 'ok' });
    await alive();
    const well = await look('/readyz');
    expect([well.status, well.said, well.bus?.ok, well.registry?.ok]).to.deep.equal([200, 'ok', true, true]);
    await gateway.registry.close();
    const alone = await look('/readyz');
    expect([alone.status, alone.said, alone.bus?.ok, alone.registry?.ok]).to.deep.equal([
      503,
      'unavailable',
      true,
      false,
    ]);
    expect(alone.registry?.why).to.match(/Nobody answers/);
    gateway.nats.signal('SIGSTOP');
    // A signal stops a process a moment after it was sent.
    await moment('the bus is frozen', async () => (await look('/readyz')).bus?.ok === false);
    const frozen = await look('/readyz');
    expect([frozen.status, frozen.bus?.ok, frozen.registry?.ok]).to.deep.equal([503, false, false]);
    expect(frozen.bus?.why).to.match(/did not answer within 1000 ms/);
    gateway.nats.signal('SIGCONT');
    await gateway.nats.kill();
    await moment('the lost bus is told', async () => /lost/.test((await look('/readyz')).bus?.why ?? ''));
    await alive();
    await gateway.nats.restart();
    await moment('the bus is back', async () => (await look('/readyz')).bus?.ok === true);
  });

  it('ends watches cleanly and finishes running calls when it stops', async () => {
    gateway = await gatewayFixture();
    const release = Promise.withResolvers<object>();
    gateway.answer('ListAgents', () => release.promise);
    gateway.answer('WatchAgents', () => ({ cursor: '1' }));
    const stream = await openStream(gateway, watchAgents, {});
    await stream.next();
    const running = call(gateway, listAgents);
    await moment('the call is being answered', () => gateway.calls.some(({ method }) => method === 'ListAgents'));
    const started = performance.now();
    const stopped = gateway.gateway.stop();
    expect(await stream.next()).to.deep.equal({ end: true, json: {} });
    release.resolve({ nextPageToken: 'x' });
    expect((await running).json).to.deep.equal({ nextPageToken: 'x' });
    await stopped;
    await gateway.gateway.stop();
    expect(performance.now() - started).to.be.below(8_000);
    await call(gateway, listAgents).then(
      () => expect.fail('it still answers'),
      (error: Error) => expect(error.message).to.contain('ECONNREFUSED'),
    );
  });

  it('stops within two seconds despite open connections', async () => {
    gateway = await gatewayFixture();
    gateway.answer('ListAgents', () => new Promise(() => {}));
    const hanging = call(gateway, listAgents).catch((error: Error) => error);
    const silent = connectSocket(gateway.port, '127.0.0.1');
    const half = connectSocket(gateway.port, '127.0.0.1', () => half.write('POST / HTTP/1.1\r\nHost: x\r\n'));
    const idle = new HttpAgent({ keepAlive: true });
    const http2 = connectHttp2(gateway.url);
    for (const one of [silent, half, http2]) one.on('error', () => undefined);
    await new Promise((resolve) =>
      get(`${gateway.url}/healthz`, { agent: idle }, (answer) => answer.resume().on('end', resolve)),
    );
    await moment('HTTP/2 is up', () => !http2.connecting);
    await moment('the call is being answered', () => gateway.calls.length === 1);
    const started = performance.now();
    await gateway.gateway.stop();
    expect(performance.now() - started).to.be.below(8_000);
    await hanging;
    idle.destroy();
    http2.destroy();
  });

  it('disconnects a caller that sends no request within 10 s', async () => {
    gateway = await gatewayFixture();
    const started = performance.now();
    const gone = (first: string) =>
      new Promise<number>((resolve) => {
        const socket = connectSocket(gateway.port, '127.0.0.1', () => socket.write(first));
        socket.on('error', () => undefined);
        socket.on('data', () => undefined);
        socket.on('close', () => resolve(performance.now() - started));
      });
    const times = await Promise.all(['', 'P', 'POST / HTTP/1.1\r\nHost: x\r\nX-'].map(gone));
    for (const time of times) expect(time).to.be.within(2_500, 15_000);
    expect((await call(gateway, listAgents)).status).to.equal(200);
  });

  it('survives a caller that disconnects in the middle', async () => {
    gateway = await gatewayFixture();
    const head = [
      `POST ${listAgents} HTTP/1.1`,
      `Host: 127.0.0.1:${gateway.port}`,
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
    ];
    const socket = connectSocket(gateway.port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n{"a":`));
    await new Promise((resolve) => socket.once('ready', resolve));
    const hanging = openStream(gateway, watchAgents, {});
    await (await hanging).close();
    socket.destroy();
    await moment('both are over', () => gateway.log.lines.filter((line) => line.startsWith('answered')).length === 2);
    expect((await call(gateway, '/host.v1.HostService/ListHosts')).status).to.equal(200);
    expect(gateway.log.lines.join('\n')).not.to.contain('nobody foresaw');
    expect(gateway.calls.map(({ method }) => method)).not.to.include('ListAgents');
  });

  it('speaks HTTP/1.1 and HTTP/2 over TLS', async () => {
    gateway = await gatewayFixture({ tls });
    expect(gateway.url).to.equal(`https://127.0.0.1:${gateway.port}`);
    const headers = { 'content-type': 'application/json', authorization };
    const first = await new Promise<number | undefined>((resolve, reject) => {
      const asked = httpsRequest(`${gateway.url}${listAgents}`, {
        method: 'POST',
        headers,
        ca: tls.cert,
        agent: false,
      });
      asked.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode)));
      asked.on('error', reject);
      asked.end('{}');
    });
    expect(first).to.equal(200);
    const session = connectHttp2(gateway.url, { ca: tls.cert });
    const second = await new Promise((resolve, reject) => {
      const stream = session.request({ ':method': 'POST', ':path': listAgents, ...headers });
      stream.on('response', (answer) => resolve(answer[':status']));
      stream.on('error', reject);
      stream.end('{}');
      stream.resume();
    });
    expect(second).to.equal(200);
    session.close();
  });

  it('refuses an external address without TLS, and a port that is taken', async () => {
    gateway = await gatewayFixture();
    const bus = await gateway.nats.join('gateway');
    const start = (bind: string, port = 0) => startGateway({ bus, bind, port, log: logProbe() });
    for (const bind of ['0.0.0.0', '::', '10.0.0.7', '192.168.1.1']) {
      expect((await failureOf(() => start(bind))).code, bind).to.equal('invalid_argument');
    }
    const taken = await failureOf(() => start('127.0.0.1', gateway.port));
    expect(taken.code).to.equal('failed_precondition');
    expect(taken.message).to.contain(String(gateway.port)).and.to.contain('MUSTER_PORT');
    const local = await start('localhost');
    expect(local.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    await local.stop();
  });
});
