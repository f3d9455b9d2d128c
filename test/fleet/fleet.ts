import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostId as ownHostId } from '#actors/host/serve/identity.ts';
import { writeCredential } from '#test/bus/nats-fixture.ts';
import { endTerminals } from '#test/support/pieces.ts';
import { PostgresPair, pairNames } from '#test/support/postgres/postgres-pair.ts';
import { superuser } from '#test/support/postgres/postgres-server.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { findPort } from '#world/net/tcp-port.ts';
import { launchChild, type RunningChild } from '#world/process/child-process.ts';
import { Links } from './links.ts';
import { NatsCluster } from './nats-cluster.ts';

/** The processes of muster in a fleet. */
export const registries = ['registry-1', 'registry-2', 'registry-3'] as const;
export const gateways = ['gateway-1', 'gateway-2'] as const;
export const hosts = ['host-1', 'host-2', 'host-3', 'host-4'] as const;
const members: readonly string[] = [...registries, ...gateways, ...hosts];

const mainFile = fileURLToPath(new URL('../../bin/muster.mjs', import.meta.url));
const kindOf = (name: string) => name.split('-')[0] as 'registry' | 'gateway' | 'host';

/** Limits that the load of a drill would reach. */
const settings = {
  MUSTER_AGENT_CEILING: '10000',
  MUSTER_MAIL_PER_MINUTE: '1000000',
  MUSTER_MAIL_HOPS: '1000000',
};

/**
 * A control plane over several machines, on this one: three NATS servers, a PostgreSQL primary with a synchronous
 * standby, three registries, two gateways and four hosts. Each reaches the servers by links that can be cut.
 */
export class DrillFleet {
  readonly links = new Links();
  readonly cluster: NatsCluster;
  readonly pair: PostgresPair;
  /** A git repository with one commit, in which agents run. */
  readonly repository: string;
  /** Processes of muster that ended on their own, with when, in milliseconds of `performance.now`. */
  readonly died: string[] = [];
  readonly #folder: TemporaryFolder;
  readonly #running = new Map<string, RunningChild>();
  readonly #environments = new Map<string, NodeJS.ProcessEnv>();
  readonly #ports = new Map<string, number>();
  readonly #expected = new Set<string>();

  private constructor(folder: TemporaryFolder, links: Links, cluster: NatsCluster, pair: PostgresPair) {
    this.#folder = folder;
    this.links = links;
    this.cluster = cluster;
    this.pair = pair;
    this.repository = join(folder.path, 'repository');
  }

  static async start(): Promise<DrillFleet> {
    const folder = temporaryFolder('fleet');
    const links = new Links();
    const [cluster, pair] = await Promise.all([NatsCluster.start(folder.path, links), PostgresPair.start()]);
    const fleet = new DrillFleet(folder, links, cluster, pair);
    makeRepository(fleet.repository);
    await pair.execute('postgres', 'create database muster');
    for (const name of members) await fleet.#prepare(name);
    await fleet.start('registry-1');
    for (const name of ['registry-2', 'registry-3'])
      writePrivateFile(join(fleet.homeOf(name), 'operator.token'), fleet.token);
    await Promise.all(members.filter((name) => name !== 'registry-1').map((name) => fleet.start(name)));
    return fleet;
  }

  /** The addresses of the gateways. */
  get urls(): readonly string[] {
    return gateways.map((name) => `http://127.0.0.1:${this.#ports.get(name)}`);
  }

  /** The operator's token. */
  get token(): string {
    return readFileSync(join(this.homeOf('registry-1'), 'operator.token'), 'utf8').trim();
  }

  homeOf(name: string): string {
    return join(this.#folder.path, name);
  }

  /** Makes another repository, in which the work of one agent is reviewed. */
  makeRepository(name: string): string {
    const path = join(this.#folder.path, name);
    makeRepository(path);
    return path;
  }

  /** Starts a process of muster that does not run. */
  async start(name: string): Promise<void> {
    const child = await launchChild({
      name,
      argv: [process.execPath, mainFile, kindOf(name)],
      env: this.#environments.get(name) ?? {},
      readiness: 'message',
      readyWithin: 90_000,
      pidFile: join(this.homeOf(name), 'process.pid'),
    });
    this.#expected.delete(name);
    this.#running.set(name, child);
    void child.exited.then(({ status, signal }) => {
      if (!this.#expected.has(name)) this.died.push(`${name} (${signal ?? status})`);
    });
  }

  /** Ends a process of muster at once, as `kill -9` does. */
  async kill(name: string): Promise<void> {
    const child = this.#running.get(name);
    if (child === undefined) return;
    this.#expected.add(name);
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
  }

  /** Sends a process of muster a signal, such as SIGSTOP, which has it hang. */
  signal(name: string, signal: NodeJS.Signals): void {
    const child = this.#running.get(name);
    try {
      if (child !== undefined) process.kill(child.pid, signal);
    } catch {
      // It has ended.
    }
  }

  /** What the processes logged. */
  logs(): string {
    return members
      .flatMap((name) => {
        const file = join(this.homeOf(name), 'out.log');
        return existsSync(file) ? [`== ${name}\n${readFileSync(file, 'utf8')}`] : [];
      })
      .join('\n');
  }

  /** Ends everything, the terminals too, and removes the folder. */
  async stop(): Promise<void> {
    for (const name of this.#running.keys()) {
      this.#expected.add(name);
      this.signal(name, 'SIGCONT');
    }
    for (const kind of ['gateway', 'host', 'registry'])
      await Promise.all(
        [...this.#running].filter(([name]) => kindOf(name) === kind).map(([, child]) => child.stop(4_000)),
      );
    await Promise.all([this.cluster.stop(), this.pair.remove()]);
    await this.links.close();
    for (const name of hosts) await endTerminals(join(this.homeOf(name), 'run'));
    this.#folder.remove();
  }

  async #prepare(name: string): Promise<void> {
    const kind = kindOf(name);
    const home = this.homeOf(name);
    mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
    const hostId = kind === 'host' ? ownHostId(home) : undefined;
    const credentials = await writeCredential(join(home, 'bus.creds'), this.cluster.keys, { kind, hostId });
    writePrivateFile(join(home, 'bus.keys'), JSON.stringify(this.cluster.keys));
    const servers = await Promise.all(
      this.cluster.nodes.map((node) => this.links.lay(name, node.name, () => node.port)),
    );
    if (kind === 'gateway') {
      const found = await findPort(['127.0.0.1'], 0);
      this.#ports.set(name, 'port' in found ? found.port : 0);
    }
    this.#environments.set(name, {
      ...process.env,
      MUSTER_ISOLATION: 'none',
      MUSTER_LOG: process.env['MUSTER_TEST_LOG'] ?? 'fatal',
      ...settings,
      MUSTER_HOME: home,
      MUSTER_PORT: String(this.#ports.get(name) ?? 0),
      MUSTER_BUS_URL: servers.map((port) => `nats://127.0.0.1:${port}`).join(','),
      MUSTER_BUS_CREDENTIALS: credentials,
      ...(kind === 'host' && { MUSTER_URL: this.urls[0] }),
      ...(kind === 'registry' && { MUSTER_DATABASE_URL: await this.#databaseFor(name) }),
    });
  }

  async #databaseFor(name: string): Promise<string> {
    const servers: string[] = [];
    for (const server of pairNames) {
      const port = await this.links.lay(name, server, () => this.pair.portOf(server));
      servers.push(`127.0.0.1:${port}`);
    }
    return `postgres://${superuser}@${servers.join(',')}/muster`;
  }
}

function makeRepository(path: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { stdio: 'ignore' });
  mkdirSync(path, { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  appendFileSync(join(path, 'work.txt'), 'begun\n');
  git('add', '.');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'begin');
}
