import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errors, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { type BusUser, busUsers } from '#contract/process-context.ts';
import { refusedSubjects } from '#test/support/refused-subjects.ts';
import { maxPayloadBytes, natsUser } from '#world/net/nats-config.ts';
import { type NatsServer, prepareNatsServer, startNatsServer } from '#world/net/nats-server.ts';
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
          '_INBOX.host.x',
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
        may: ['registry.from.h.commit'],
        mayNot: [
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
        may: ['bell.h', 'host.h.>', '_INBOX.host.x'],
        mayNot: ['registry.>', 'rpc.>', 'fact.>', '_INBOX.gateway.>'],
      },
    },
    start: {
      publish: { may: ['$SRV.PING'], mayNot: ['rpc.x', 'fact.x', 'registry.x'] },
      subscribe: { may: ['_INBOX.start.x'], mayNot: ['fact.>', 'rpc.>', '$SRV.PING'] },
    },
  };

describe('nats-server of our own', function () {
  this.timeout(60_000);
  let place: TemporaryFolder;
  let server: NatsServer;
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
    const connection = await connect({
      servers: server.url,
      user,
      pass: server.passwords[user],
      inboxPrefix: `_INBOX.${user}`,
      noAsyncTraces: true,
    });
    connections.push(connection);
    return connection;
  }

  for (const user of busUsers) {
    it(`lets the ${user} publish and hear its own subjects alone`, async () => {
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

  it('lets the registry and a host answer what reaches them, and nobody else', async () => {
    const [gateway, registry, host] = await Promise.all([joinAs('gateway'), joinAs('registry'), joinAs('host')]);
    registry.subscribe('rpc.>', { callback: (_, message) => void message.respond('from the registry') });
    host.subscribe('host.h.>', { callback: (_, message) => void message.respond('from the host') });
    await Promise.all([registry.flush(), host.flush()]);
    expect((await gateway.request('rpc.x')).string()).to.equal('from the registry');
    expect((await registry.request('host.h.look')).string()).to.equal('from the host');
  });

  it('lets nobody in without the right password', async () => {
    for (const login of [{}, { user: 'registry' }, { user: 'registry', pass: server.passwords.host }]) {
      const refused = await connect({ servers: server.url, ...login, reconnect: false }).catch(
        (error: unknown) => error,
      );
      expect(refused, JSON.stringify(login)).to.be.instanceOf(errors.AuthorizationError);
    }
  });

  it('listens on loopback, carries 8 MiB, and has no JetStream', async () => {
    const { info } = await joinAs('start');
    expect(info).to.deep.include({ host: '127.0.0.1', max_payload: 8 * 1024 * 1024 });
    expect(info?.jetstream ?? false).to.equal(false);
  });

  it('keeps its passwords from others: files for the owner alone, nothing on the command line', () => {
    const [ports] = readdirSync(join(place.path, 'nats-ports'));
    expect(ports).to.match(/\.ports$/);
    for (const name of ['nats-server.conf', 'nats-server.log', `nats-ports/${ports}`]) {
      expect((statSync(join(place.path, name)).mode & 0o777).toString(8), name).to.equal('600');
    }
    const commandLine = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8');
    for (const password of Object.values(server.passwords)) expect(commandLine).not.to.include(password);
  });
});

describe('life of a nats-server of our own', () => {
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

  it('ends with its parent, however that ends', async function () {
    if (spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status !== 0) this.skip(); // It takes util-linux.
    const pid = await orphan(process.env['PATH'] ?? '');
    await moment('the server is gone', async () => (await findProcess(pid)) === undefined);
  });

  it('is ended before the next is started, if it outlived its parent', async () => {
    const pid = await orphan('/nowhere');
    expect(await findProcess(pid)).not.to.equal(undefined);
    const next = await startNatsServer(place.path);
    expect(await findProcess(pid)).to.equal(undefined);
    await next.stop(2_000);
    expect(readdirSync(place.path)).not.to.include('nats-server.pid');
  });

  it('takes the same port again', async () => {
    const { spec } = prepareNatsServer(place.path, join(place.path, 'log'));
    const first = await launchChild(spec);
    await first.stop(2_000);
    const second = await launchChild(spec);
    expect(second.url)
      .to.match(/^nats:\/\/127\.0\.0\.1:\d+$/)
      .and.to.equal(first.url);
    await second.stop(2_000);
  });
});

describe('nats.conf', () => {
  const file = fileURLToPath(new URL('../../../nats.conf', import.meta.url));
  const variable = (user: BusUser): string => `MUSTER_${user.toUpperCase()}_PASSWORD`;

  it('is accepted by the installed nats-server', () => {
    const env = {
      PATH: `${process.env['PATH']}:/usr/sbin`,
      ...Object.fromEntries(busUsers.map((user) => [variable(user), 'x'])),
    };
    const { status, stderr } = spawnSync('nats-server', ['-t', '-c', file], { env, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  });

  it('has the users and rights of the server of our own', () => {
    const text = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !line.trim().startsWith('#'))
      .join('\n');
    const users = busUsers.map((user) => natsUser(user, `$${variable(user)}`)).join('\n');
    expect(text).to.include(`authorization {\n  users: [\n${users}\n  ]\n}`);
    expect(text).to.include(`max_payload: ${maxPayloadBytes}\n`);
  });
});
