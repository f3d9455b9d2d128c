import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeBusKeys, trustOf } from '#bus/identity/bus-keys.ts';
import { freePort } from '#test/support/free-port.ts';
import { moment } from '#test/support/moment.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { natsConfig } from '#world/net/nats-config.ts';
import { isListenedOn } from '#world/net/tcp-port.ts';
import { type ChildSpec, launchChild, type RunningChild } from '#world/process/child-process.ts';
import type { Links } from './links.ts';

/** Where one server of the cluster listens. */
interface NatsNode {
  readonly name: string;
  readonly port: number;
  readonly routePort: number;
  readonly monitorPort: number;
}

/** Three nats-servers that are one bus; each reaches the others by links. */
export class NatsCluster {
  readonly nodes: readonly NatsNode[];
  readonly keys = makeBusKeys();
  readonly #folder: string;
  readonly #links: Links;
  readonly #running = new Map<string, RunningChild>();

  private constructor(folder: string, links: Links, nodes: readonly NatsNode[]) {
    this.#folder = folder;
    this.#links = links;
    this.nodes = nodes;
  }

  static async start(folder: string, links: Links): Promise<NatsCluster> {
    const nodes: NatsNode[] = [];
    for (const name of ['nats-1', 'nats-2', 'nats-3']) {
      const [port, routePort, monitorPort] = [await freePort(), await freePort(), await freePort()];
      nodes.push({ name, port, routePort, monitorPort });
    }
    const cluster = new NatsCluster(folder, links, nodes);
    for (const node of nodes) await cluster.#configure(node);
    await Promise.all(nodes.map(({ name }) => cluster.start(name)));
    await cluster.whole();
    return cluster;
  }

  async start(name: string): Promise<void> {
    const node = this.nodes.find((one) => one.name === name);
    if (node !== undefined) this.#running.set(name, await launchChild(this.#specOf(node)));
  }

  /** Ends a server at once, as `kill -9` does. */
  async kill(name: string): Promise<void> {
    const child = this.#running.get(name);
    if (child === undefined) return;
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
  }

  /** Waits until every server is connected to both others. */
  async whole(): Promise<void> {
    for (const { name, monitorPort } of this.nodes)
      await moment(`${name} has its routes`, async () => (await othersOf(monitorPort)) === this.nodes.length - 1);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.values()].map((child) => child.stop(2_000)));
  }

  async #configure({ name, port, routePort, monitorPort }: NatsNode): Promise<void> {
    const folder = join(this.#folder, name);
    mkdirSync(folder, { mode: 0o700 });
    const others = this.nodes.filter((other) => other.name !== name);
    const routes = await Promise.all(others.map((other) => this.#links.lay(name, other.name, () => other.routePort)));
    const trust = await trustOf(this.keys);
    const [claimsFolder, logFile] = [join(folder, 'claims'), join(folder, 'log')];
    mkdirSync(claimsFolder, { mode: 0o700 });
    const own = natsConfig({ port, trust, portsFolder: folder, claimsFolder, logFile });
    // Servers gossip their addresses: an address without a listener makes them use only the links.
    const cluster = `cluster {
  name: muster
  listen: "127.0.0.1:${routePort}"
  advertise: "127.0.0.1:1"
  no_advertise: true
  routes: ${JSON.stringify(routes.map((one) => `nats-route://127.0.0.1:${one}`))}
}
server_name: ${name}
http: "127.0.0.1:${monitorPort}"
`;
    writePrivateFile(join(folder, 'nats.conf'), own + cluster);
  }

  #specOf({ name, port }: NatsNode): ChildSpec {
    const url = `nats://127.0.0.1:${port}`;
    return {
      name,
      argv: ['nats-server', '-c', join(this.#folder, name, 'nats.conf')],
      env: { PATH: process.env['PATH'] },
      readiness: async () => ((await isListenedOn(url)) ? url : undefined),
      readyWithin: 10_000,
      pidFile: join(this.#folder, name, 'pid'),
    };
  }
}

/** How many other servers one is connected to. */
async function othersOf(monitorPort: number): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${monitorPort}/routez`).catch(() => undefined);
  if (reply === undefined) return 0;
  const { routes = [] } = (await reply.json()) as { routes?: { remote_id: string }[] };
  return new Set(routes.map((route) => route.remote_id)).size;
}
