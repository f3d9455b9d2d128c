import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { errors } from '@nats-io/nats-core';
import { expect } from 'chai';
import type { BusOptions } from '#bus/bus.ts';
import { connectBus } from '#bus/connection.ts';
import { makeBusKeys, trustOf } from '#bus/identity/bus-keys.ts';
import { reportWhileLost } from '#bus/join/join.ts';
import { joinFault } from '#bus/join/join-fault.ts';
import { type Authority, type CertificateFiles, makeAuthority } from '#test/support/certificates.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { natsTrust } from '#world/net/nats-config.ts';
import { logProbe } from './log-probe.ts';
import { credentialOf } from './nats-fixture.ts';
import { type NatsProcess, natsProcess } from './nats-process.ts';

const member = { kind: 'host', hostId: 'hst_1' } as const;
const keys = makeBusKeys();
/** A server that trusts these keys. */
const trust = natsTrust(await trustOf(keys)).replace('resolver_preload', 'resolver: MEMORY\nresolver_preload');
const login = { member, credential: await credentialOf(keys, member) };

describe('joining a bus that has a certificate', () => {
  let place: TemporaryFolder;
  let authority: Authority;
  let pem: string;
  const running: NatsProcess[] = [];

  before(() => {
    place = temporaryFolder('joining');
    authority = makeAuthority(place.path);
    pem = readFileSync(authority.cert, 'utf8');
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop(2_000)));
  });
  after(() => place.remove());

  async function server(files?: CertificateFiles, port = -1): Promise<NatsProcess> {
    const tls = files && `tls { cert_file: ${JSON.stringify(files.cert)}, key_file: ${JSON.stringify(files.key)} }\n`;
    const one = await natsProcess(place.path, `host: "127.0.0.1"\nport: ${port}\n${trust}${tls ?? ''}`);
    running.push(one);
    return one;
  }

  /**
   * The lines that are logged before a bus is joined, up to a number. Checks that they contain no stacks.
   */
  async function reported(options: BusOptions): Promise<string> {
    const ending = new AbortController();
    const log = logProbe();
    const joining = failureOf(() => connectBus({ ...login, ...options, log, signal: ending.signal }));
    await moment('it is told', () => log.lines.length > 0);
    ending.abort();
    expect((await joining).code).to.equal('canceled');
    expect(log.lines).to.have.length(1);
    expect(log.lines[0]).not.to.match(/\n|node:internal|sesame/);
    return log.lines[0] ?? '';
  }

  it('succeeds by a name and by an address that the certificate names', async () => {
    const { port } = await server(authority.sign('both', 'DNS:localhost,IP:127.0.0.1'));
    for (const host of ['localhost', '127.0.0.1']) {
      const bus = await connectBus({ url: `tls://${host}:${port}`, ...login, authority: pem });
      expect(bus.connected).to.equal(true);
      await bus.close();
    }
  });

  it('fails by an address or a name that it does not name, and reports both', async () => {
    const { port } = await server(authority.sign('name', 'DNS:localhost,IP:127.0.0.9'));
    const told = await reported({ url: `tls://127.0.0.1:${port}`, authority: pem });
    expect(told)
      .to.include(`tls://127.0.0.1:${port}: its certificate is for DNS:localhost, IP Address:127.0.0.9`)
      .and.to.include('and not for 127.0.0.1')
      .and.to.include('WRONG_NAME');
    await running.pop()?.stop(2_000);
    const other = await server(authority.sign('address', 'IP:127.0.0.1'));
    expect(await reported({ url: `tls://localhost:${other.port}`, authority: pem })).to.include('not for localhost');
  });

  it('reports an unknown authority, and a different one', async () => {
    const { port } = await server(authority.sign('here', 'IP:127.0.0.1'));
    const url = `tls://127.0.0.1:${port}`;
    expect(await reported({ url }))
      .to.include('UNKNOWN_AUTHORITY')
      .and.to.include('in MUSTER_BUS_CA');
    const notNats = readFileSync(makeAuthority(place.path, 'stranger').cert, 'utf8');
    expect(await reported({ url, authority: notNats })).to.include('not signed by the CA in MUSTER_BUS_CA');
    expect(await reported({ url: url.replace('tls', 'nats') })).to.include(
      `it uses TLS, so write ${url} in MUSTER_BUS_URL`,
    );
  });

  it('reports that a certificate has expired', async () => {
    const { port } = await server(authority.sign('old', 'IP:127.0.0.1', -1));
    expect(await reported({ url: `tls://127.0.0.1:${port}`, authority: pem }))
      .to.include('EXPIRED')
      .and.to.include('has expired');
  });

  it('reports an unencrypted server, an unknown name, and a closed port', async () => {
    const { port, stop } = await server();
    expect(await reported({ url: `tls://127.0.0.1:${port}` }))
      .to.include('PLAIN')
      .and.to.include('does not use TLS');
    await stop(2_000);
    expect(await reported({ url: `nats://127.0.0.1:${port}` }))
      .to.include('REFUSED')
      .and.to.include('nothing listens there');
    expect(await reported({ url: 'tls://bus.invalid' }))
      .to.include('UNKNOWN_NAME')
      .and.to.include('its name cannot be resolved');
  });

  it('reports a server that is not NATS, whether it sends data or closes', async () => {
    for (const greet of [
      (socket: Socket) => void socket.write('220 mail.example ESMTP\r\n'),
      (socket: Socket) => void socket.end(),
    ]) {
      const notNats = await listening(greet);
      expect(await reported({ url: `nats://127.0.0.1:${notNats.port}` })).to.include('is not a NATS server');
      notNats.server.close();
    }
  });

  it('reports each fault once, for every server of a list, and the success', async () => {
    const { port, stop } = await server();
    await stop(2_000);
    const log = logProbe();
    const url = `nats://127.0.0.1:${port},nats://127.0.0.1:1`;
    const joining = connectBus({ url, ...login, log });
    await moment('it is told', () => log.lines.length > 0);
    const notNats = await listening((socket) => void socket.end(), port);
    await moment('the change is told', () => log.lines.length > 1);
    notNats.server.close();
    await server(undefined, port);
    await (await joining).close();
    expect(log.lines).to.have.length(3);
    expect(log.lines[0]).to.match(/nats:\/\/127.*nothing listens there.*; nats:\/\/127\.0\.0\.1:1: nothing listens/);
    expect(log.lines[1]).to.match(/is not a NATS server.*; nats:\/\/127\.0\.0\.1:1: nothing listens/);
    expect(log.lines[2]).to.include('the bus is joined');
  });

  it('reports while a lost connection stays down, for example after a certificate change', async () => {
    const { port } = await server(makeAuthority(place.path, 'next').sign('later', 'IP:127.0.0.1'));
    const log = logProbe();
    let isLost = true;
    const telling = reportWhileLost({ url: `tls://127.0.0.1:${port}`, ...login, authority: pem, log }, () => isLost, 5);
    await moment('it is told', () => log.lines.length > 0);
    isLost = false;
    await telling;
    expect(log.lines).to.have.length(1);
    expect(log.lines[0]).to.include('cannot be joined again yet').and.to.include('UNKNOWN_AUTHORITY');
  });

  it('reports a refused credential at once, with its member', async () => {
    const { port } = await server(authority.sign('pw', 'IP:127.0.0.1'));
    const credential = await credentialOf(makeBusKeys(), member);
    const wrong = { url: `tls://127.0.0.1:${port}`, member, credential, authority: pem };
    const failure = await failureOf(() => connectBus(wrong));
    expect(failure.code).to.equal('unauthenticated');
    expect(failure.message).to.include('refuses this host (hst_1)').and.not.to.include(credential.seed);
  });
});

describe('a fault of joining', () => {
  const dialled = { server: 'tls://bus.example:4222', member, hasAuthority: false, answersWithin: 5_000 };
  const coded = (code: string) => new Error('outer', { cause: Object.assign(new Error(code), { code }) });

  for (const [error, kind, words] of [
    [coded('EHOSTUNREACH'), 'NO_ROUTE', 'this machine cannot reach it (EHOSTUNREACH)'],
    [coded('ETIMEDOUT'), 'NO_ROUTE', 'networks and firewalls'],
    [coded('EAI_AGAIN'), 'UNKNOWN_NAME', 'DNS'],
    [coded('CERT_NOT_YET_VALID'), 'EXPIRED', 'not valid yet'],
    [coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'HANDSHAKE', 'remove `verify`'],
    [coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'HANDSHAKE', 'no common encryption'],
    [new errors.TimeoutError(), 'SILENT', 'within 5 s'],
    [new errors.AuthorizationError('Authorization Violation'), 'NOT_ADMITTED', 'host (hst_1)'],
    [new Error('something else'), 'OTHER', 'something else'],
  ] as const) {
    it(`is reported as ${kind}: ${words}`, () => {
      const fault = joinFault(error, dialled);
      expect(fault.kind).to.equal(kind);
      expect(fault.words).to.include(words);
    });
  }
});

async function listening(greet: (socket: Socket) => void, port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, port: (server.address() as { port: number }).port };
}
