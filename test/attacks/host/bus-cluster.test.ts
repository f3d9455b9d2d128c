import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { makeBusKeys, trustOf } from '#bus/identity/bus-keys.ts';
import type { BusUser } from '#contract/access/bus-member.ts';
import { loginOf } from '#test/bus/nats-fixture.ts';
import { type NatsProcess, natsProcess } from '#test/bus/nats-process.ts';
import { type Authority, type CertificateFiles, makeAuthority } from '#test/support/certificates.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { natsTrust } from '#world/net/nats-config.ts';

const recipe = fileURLToPath(new URL('../../../nats-cluster.conf', import.meta.url));
const single = fileURLToPath(new URL('../../../nats.conf', import.meta.url));
const keys = makeBusKeys();
const passwords = { MUSTER_ROUTE_PASSWORD: 'ROUTE-pw' };

describe('a server that joins the bus cluster', () => {
  const places: TemporaryFolder[] = [];
  const running: NatsProcess[] = [];
  const connections: NatsConnection[] = [];
  let authority: Authority;
  let first: NatsProcess;
  let second: NatsProcess;

  function folder(): string {
    const place = temporaryFolder('cluster');
    places.push(place);
    return place.path;
  }

  async function serverOf(settings: string, routes: readonly string[], path = folder()): Promise<NatsProcess> {
    writeFileSync(join(path, 'nats.conf'), readFileSync(single, 'utf8').replace('./bus-claims', join(path, 'claims')));
    mkdirSync(join(path, 'claims'));
    writeFileSync(join(path, 'bus-trust.conf'), natsTrust(await trustOf(keys)));
    const server = await natsProcess(path, settings, { ...passwords, MUSTER_ROUTES: JSON.stringify(routes) });
    running.push(server);
    return server;
  }

  /** The recipe, with the addresses and files of one machine. */
  function recipeWith({ cert, key }: CertificateFiles): string {
    return readFileSync(recipe, 'utf8')
      .replace('host: "0.0.0.0"', 'host: "127.0.0.1"\nport: -1')
      .replace('"0.0.0.0:6222"', '"127.0.0.1:-1"')
      .replaceAll('"/etc/muster/bus.crt"', JSON.stringify(cert))
      .replaceAll('"/etc/muster/bus.key"', JSON.stringify(key))
      .replaceAll('"/etc/muster/bus-ca.crt"', JSON.stringify(authority.cert));
  }

  async function joined(server: NatsProcess, kind: BusUser, ca?: string): Promise<NatsConnection> {
    const tls = ca === undefined ? {} : { tls: { caFile: ca } };
    const login = await loginOf(keys, { kind });
    const connection = await connect({ servers: `localhost:${server.port}`, ...login, ...tls, reconnect: false });
    connections.push(connection);
    return connection;
  }

  const routeTo = (server: NatsProcess, login = 'route:ROUTE-pw@') =>
    `nats-route://${login}localhost:${server.clusterPort}`;

  before(async () => {
    authority = makeAuthority(folder());
    const names = 'DNS:localhost,IP:127.0.0.1';
    first = await serverOf(recipeWith(authority.sign('bus-1', names)), []);
    second = await serverOf(recipeWith(authority.sign('bus-2', names)), [routeTo(first)]);
  });
  after(async () => {
    await Promise.all(connections.map((one) => one.close()));
    await Promise.all(running.map((one) => one.stop(2_000)));
    for (const place of places) place.remove();
  });

  it('relays messages if it has certificate and password', async () => {
    const [registry, gateway] = [
      await joined(first, 'registry', authority.cert),
      await joined(second, 'gateway', authority.cert),
    ];
    const heard: string[] = [];
    gateway.subscribe('fact.>', { callback: (_, { subject }) => void heard.push(subject) });
    await gateway.flush();
    await moment('a message crosses', () => {
      registry.publish('fact.x');
      return heard.length > 0;
    });
    // No process is redirected to a server outside its list.
    expect(registry.info?.connect_urls ?? []).to.have.length.at.most(1);
  });

  const tls = ({ cert, key }: CertificateFiles) =>
    `tls { cert_file: ${JSON.stringify(cert)}, key_file: ${JSON.stringify(key)}, ca_file: ${JSON.stringify(authority.cert)} }`;

  for (const [what, settings, login] of [
    ['in clear', () => '', 'route:ROUTE-pw@'],
    ['in clear, without a password', () => '', ''],
    ['with a certificate that it signed itself', () => tls(makeAuthority(folder(), 'rogue')), 'route:ROUTE-pw@'],
    ['with a certificate of the authority and no password', () => tls(authority.sign('rogue', 'DNS:localhost')), ''],
    [
      'with a certificate of the authority and another password',
      () => tls(authority.sign('rogue', 'DNS:localhost')),
      'route:guess@',
    ],
  ] as const) {
    it(`is refused ${what}, and receives nothing`, async () => {
      const routes = [routeTo(first, login), routeTo(second, login)];
      const cluster = `cluster { name: muster, listen: "127.0.0.1:-1", routes: $MUSTER_ROUTES, ${settings()} }`;
      const rogue = await serverOf(`host: "127.0.0.1"\nport: -1\ndebug: true\n${cluster}\n`, routes);
      const thief = await connect({ servers: `localhost:${rogue.port}`, reconnect: false });
      connections.push(thief);
      const heard: string[] = [];
      thief.subscribe('>', { callback: (_, { subject }) => void heard.push(subject) });
      const log = () => readFileSync(rogue.logFile, 'utf8');
      await moment(
        'it was turned away twice',
        () => (log().match(/rid:\d+.*Router connection closed/g)?.length ?? 0) > 1,
      );
      const registry = await joined(first, 'registry', authority.cert);
      const gateway = await joined(second, 'gateway', authority.cert);
      gateway.subscribe('fact.>', { callback: (_, { subject }) => void heard.push(`gateway ${subject}`) });
      await gateway.flush();
      await moment('the gateway hears it', () => {
        registry.publish('fact.secret');
        return heard.length > 0;
      });
      await thief.flush();
      expect(heard.filter((one) => !one.startsWith('gateway '))).to.deep.equal([]);
      await rogue.stop(2_000);
    });
  }

  it('receives everything without the recipe, so the test can detect it', async () => {
    const open = (routes: string) =>
      `host: "127.0.0.1"\nport: -1\ncluster { name: muster, listen: "127.0.0.1:-1", routes: ${routes} }\n`;
    const server = await serverOf(open('[]'), []);
    const rogue = await serverOf(open('$MUSTER_ROUTES'), [routeTo(server, '')]);
    const thief = await connect({ servers: `localhost:${rogue.port}`, reconnect: false });
    const speaker = await connect({ servers: `localhost:${server.port}`, reconnect: false });
    connections.push(thief, speaker);
    const heard: string[] = [];
    thief.subscribe('>', { callback: (_, { subject }) => void heard.push(subject) });
    await moment('it is heard', () => {
      speaker.publish('fact.secret');
      return heard.length > 0;
    });
  });
});
