import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errors, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { authenticatorOf } from '#bus/identity/authenticator.ts';
import { certify, type MemberKey, makeBusKeys, makeMemberKey } from '#bus/identity/bus-keys.ts';
import { type BusUser, busUsers } from '#contract/access/bus-member.ts';
import { runBusKeys } from '#service/bus/bus-keys-command.ts';
import { readConfig } from '#service/config.ts';
import { loginOf, setUpNatsServer, startNatsServer, type TestNatsServer } from '#test/bus/nats-fixture.ts';
import { refusedSubjects } from '#test/support/refused-subjects.ts';
import { maxPayloadBytes } from '#world/net/nats-config.ts';
import { launchChild } from '#world/process/child-process.ts';
import { findProcess } from '#world/process/process-tree.ts';
import { moment } from '../../support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

/** What each user may do, and the nearest thing that it may not. */
const table: Readonly<Record<BusUser, Readonly<Record<'publish' | 'subscribe', { may: string[]; mayNot: string[] }>>>> =
  {
    gateway: {
      publish: {
        may: ['rpc.agent.v1.S.M', 'registry.auth.check', 'registry.health.ready'],
        mayNot: ['registry.commit', 'fact.x', 'bell.h', 'host.h.x'],
      },
      subscribe: {
        may: ['fact.>', '_INBOX.gateway.x'],
        mayNot: ['rpc.>', 'bell.*', '_INBOX.registry.>', '>', '$SRV.PING'],
      },
    },
    registry: {
      publish: {
        may: [
          'fact.agent.moved',
          'bell.h',
          'host.h.look',
          'registry.lease',
          'registry.claim',
          'registry.peer.*',
          '_INBOX.gateway.x',
          '_INBOX.host.h.x',
          '_INBOX.start.x',
        ],
        mayNot: ['rpc.x', 'registry.x', 'registry.from.h.commit', 'host.h', '_INBOX.other.x'],
      },
      subscribe: {
        may: ['rpc.>', 'registry.>', '$SRV.PING', '_INBOX.registry.*'],
        mayNot: ['fact.>', 'host.*.>', '>'],
      },
    },
    host: {
      publish: {
        may: ['registry.from.h.commit', 'registry.from.h.commit.one', 'pane.h.agent'],
        mayNot: [
          'registry.from.other.commit',
          'pane.other.agent',
          '$SRV.PING',
          'registry.commit',
          'registry.auth.check',
          'fact.x',
          'rpc.agent.v1.S.M',
          'bell.other',
          'host.other.x',
          '_INBOX.registry.x',
        ],
      },
      subscribe: {
        may: ['bell.h', 'host.h.>', '_INBOX.host.h.x'],
        mayNot: [
          'bell.other',
          'bell.*',
          'host.other.prompt',
          'host.*.>',
          '_INBOX.host.other.x',
          '_INBOX.host.>',
          'pane.*.*',
          '$SRV.PING',
          'registry.>',
          'rpc.>',
          'fact.>',
          '_INBOX.gateway.>',
        ],
      },
    },
    start: {
      publish: { may: ['$SRV.PING'], mayNot: ['rpc.x', 'fact.x', 'registry.x'] },
      subscribe: { may: ['_INBOX.start.x'], mayNot: ['fact.>', 'rpc.>', '$SRV.PING'] },
    },
  };

describe('muster’s own nats-server', () => {
  let place: TemporaryFolder;
  let server: TestNatsServer;
  const connections: NatsConnection[] = [];

  before(async () => {
    place = temporaryFolder('nats');
    server = await startNatsServer(place.path);
  });
  afterEach(async () => {
    await Promise.all(connections.splice(0).map((one) => one.close()));
  });
  after(async () => {
    await server.stop(2_000);
    place.remove();
  });

  async function joinAs(user: BusUser): Promise<NatsConnection> {
    const login = await loginOf(server.keys, user === 'host' ? { kind: user, hostId: 'h' } : { kind: user });
    const connection = await connect({ servers: server.url, noAsyncTraces: true, ...login });
    connections.push(connection);
    return connection;
  }

  for (const user of busUsers) {
    it(`lets the ${user} use its own subjects only`, async () => {
      const { publish, subscribe } = table[user];
      const connection = await joinAs(user);
      expect(
        await refusedSubjects(connection, () => publish.may.forEach((subject) => void connection.publish(subject))),
      ).to.deep.equal([]);
      expect(
        await refusedSubjects(connection, () => publish.mayNot.forEach((subject) => void connection.publish(subject))),
      ).to.deep.equal(publish.mayNot);
      const hear = (subject: string) => void connection.subscribe(subject, { callback: () => {} });
      expect(await refusedSubjects(connection, () => subscribe.may.forEach(hear))).to.deep.equal([]);
      expect(await refusedSubjects(connection, () => subscribe.mayNot.forEach(hear))).to.deep.equal(subscribe.mayNot);
    });
  }

  it('lets only the registry and a host answer requests', async () => {
    const [gateway, registry, host] = await Promise.all([joinAs('gateway'), joinAs('registry'), joinAs('host')]);
    registry.subscribe('rpc.>', { callback: (_, message) => void message.respond('from the registry') });
    host.subscribe('host.h.>', { callback: (_, message) => void message.respond('from the host') });
    await Promise.all([registry.flush(), host.flush()]);
    expect((await gateway.request('rpc.x')).string()).to.equal('from the registry');
    expect((await registry.request('host.h.look')).string()).to.equal('from the host');
  });

  it('requires a certificate of its own keys, with the matching key, in time', async () => {
    const { keys } = server;
    const [own, other] = [makeMemberKey(), makeMemberKey()];
    const past = Math.floor(Date.now() / 1_000) - 10;
    const signed = await certify(keys, { kind: 'registry' }, own.publicKey);
    const late = await certify(keys, { kind: 'registry' }, own.publicKey, past);
    const joining = (jwt: string, { seed }: MemberKey) => ({
      authenticator: authenticatorOf({ jwt: () => jwt, seed }),
    });
    const refusedLogins = {
      nothing: {},
      'a name alone': { user: 'registry' },
      'other keys': await loginOf(makeBusKeys(), { kind: 'registry' }),
      'the key of another': joining(signed, other),
      'an old certificate': joining(late, own),
      'a certificate that was changed': joining(widened(signed), own),
    };
    for (const [what, login] of Object.entries(refusedLogins)) {
      const refused = await connect({ servers: server.url, ...login, reconnect: false }).catch(
        (error: unknown) => error,
      );
      expect(refused, what).to.be.instanceOf(errors.AuthorizationError);
    }
  });

  it('listens on loopback, carries 8 MiB, and has no JetStream', async () => {
    const { info } = await joinAs('start');
    expect(info).to.deep.include({ host: '127.0.0.1', max_payload: 8 * 1024 * 1024 });
    expect(info?.jetstream ?? false).to.equal(false);
  });

  it('keeps its files private, and secrets out of them and the command line', () => {
    const [ports] = readdirSync(join(place.path, 'nats-ports'));
    expect(ports).to.match(/\.ports$/);
    for (const name of ['nats-server.conf', 'nats.log', `nats-ports/${ports}`]) {
      expect((statSync(join(place.path, name)).mode & 0o777).toString(8), name).to.equal('600');
    }
    const commandLine = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8');
    const config = readFileSync(join(place.path, 'nats-server.conf'), 'utf8');
    for (const seed of Object.values(server.keys)) expect(commandLine + config).not.to.include(seed);
  });
});

describe('the process of muster’s own nats-server', () => {
  const starter = fileURLToPath(new URL('./nats-starter.ts', import.meta.url));
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('nats-life');
  });
  afterEach(() => place.remove());

  /** Starts a server from a process that is then killed, and gives the server's id. */
  async function orphan(path: string): Promise<number> {
    const parent = fork(starter, [place.path], { env: { PATH: path } });
    const [pid] = (await once(parent, 'message')) as [number];
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    return pid;
  }

  it('ends with its parent in any case', async function () {
    if (spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status !== 0) this.skip(); // It takes util-linux.
    const pid = await orphan(process.env['PATH'] ?? '');
    await moment('the server is gone', async () => (await findProcess(pid)) === undefined);
  });

  it('is ended before the next one starts, if it outlived its parent', async () => {
    const pid = await orphan('/nowhere');
    expect(await findProcess(pid)).not.to.equal(undefined);
    const next = await startNatsServer(place.path);
    expect(await findProcess(pid)).to.equal(undefined);
    await next.stop(2_000);
    expect(readdirSync(place.path)).not.to.include('nats-server.pid');
  });

  it('uses the same port again, also after another start of muster, unless that is taken', async () => {
    const folder = join(place.path, 'again');
    const spec = await setUpNatsServer(folder);
    const first = await launchChild(spec);
    await first.stop(2_000);
    const second = await launchChild(spec);
    expect(second.url)
      .to.match(/^nats:\/\/127\.0\.0\.1:\d+$/)
      .and.to.equal(first.url);
    await second.stop(2_000);
    const third = await startNatsServer(folder);
    expect(third.url).to.equal(first.url);
    await third.stop(2_000);
    const other = createServer().listen(Number(new URL(third.url).port), '127.0.0.1');
    await once(other, 'listening');
    const fourth = await startNatsServer(folder);
    expect(fourth.url).not.to.equal(first.url);
    other.close();
    const fifth = await startNatsServer(folder);
    expect(fifth.url, 'the newest').to.equal(fourth.url);
    await fifth.stop(2_000);
  });
});

describe('nats.conf', () => {
  const file = fileURLToPath(new URL('../../../nats.conf', import.meta.url));

  it('is accepted by the installed nats-server, with what muster bus-keys makes', async () => {
    const place = temporaryFolder('nats-conf');
    cpSync(file, join(place.path, 'nats.conf'));
    await runBusKeys([place.path], readConfig({}), Date.now());
    const { status, stderr } = spawnSync('nats-server', ['-t', '-c', join(place.path, 'nats.conf')], {
      env: { PATH: `${process.env['PATH']}:/usr/sbin` },
      cwd: place.path,
      encoding: 'utf8',
    });
    place.remove();
    expect(status, stderr).to.equal(0);
    expect(readFileSync(file, 'utf8')).to.include(`max_payload: ${maxPayloadBytes}\n`);
  });
});

/** The certificate with all rights, under the signature of the one that it was. */
function widened(jwt: string): string {
  const [head, body = '', signature] = jwt.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  claims.nats.pub.allow = ['>'];
  return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}
