import { join } from 'node:path';
import { isLoopback, isolatedPeer } from '#contract/access/loopback.ts';
import type { Grants } from '#contract/host/isolation.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { probedHost } from '#world/isolation/host-filter.ts';
import type { Relay } from '#world/isolation/relays.ts';
import { type Listener, SocketFolder } from '#world/isolation/socket-folder.ts';
import { relayTo } from '#world/isolation/socket-relay.ts';
import { RefusalGate } from './refusal-gate.ts';

/** What an isolated agent reaches besides muster. */
export interface NetworkPolicy {
  readonly network: 'filtered' | 'none';
  readonly grants: Grants;
  /** The model hosts of its CLI. */
  readonly models: readonly string[];
}

/** How an isolated agent reaches its network from inside. */
export interface AgentNetwork {
  /** The folder of its sockets, which is shown inside as `socketsInside`. */
  readonly folder: string;
  readonly relays: readonly Relay[];
  /** The port of the filtering proxy inside. */
  readonly proxyPort: number;
}

/** Where the agent's sockets are inside. */
export const socketsInside = '/run/muster';
/** The port of the filtering proxy inside; another one if muster itself has it. */
const proxyPorts = [3128, 3129] as const;

export interface AgentNetworksOptions {
  /** A short folder for sockets, since their paths must be short. */
  readonly folder: () => Promise<string>;
  /** The URL at which agents reach the service. */
  readonly baseUrl: string;
  /** The person's environment, which may name a proxy. */
  readonly environment: Readonly<Record<string, string>>;
  readonly onRefused: (agentId: string, destination: string) => void;
}

interface Open {
  readonly sockets: SocketFolder;
  readonly refusals: RefusalGate;
  policy: NetworkPolicy;
}

/**
 * The networks of isolated agents: sockets of this process, through which a sandbox without any network
 * of its own reaches muster, granted ports of this machine and, through a filter, permitted hosts. An agent outlives
 * this process: the next one listens at the same paths.
 */
export class AgentNetworks {
  readonly #options: AgentNetworksOptions;
  readonly #open = new Map<string, Promise<Open>>();

  constructor(options: AgentNetworksOptions) {
    this.#options = options;
  }

  /** Opens the network of an agent, or changes what an open one permits. */
  async ensure(agentId: string, policy: NetworkPolicy): Promise<AgentNetwork> {
    const opening = this.#open.get(agentId) ?? this.#begin(agentId, policy);
    this.#open.set(agentId, opening);
    opening.catch(() => this.#open.delete(agentId));
    const open = await opening;
    open.policy = policy;
    const { sockets } = open;
    const ports = portsOf(policy, this.#service);
    const proxyPort = proxyPorts.find((port) => !ports.includes(port)) ?? proxyPorts[0];
    const gateway = Number(this.#service.port || 80);
    for (const port of ports) {
      const from = port === gateway ? isolatedPeer(sha256Of(agentId)) : undefined;
      await sockets.listen(`${port}`, () => relayTo('127.0.0.1', port, from));
    }
    await sockets.listen('proxy', () => this.#proxy(agentId, open));
    const relays = [...ports.map((port) => [port, `${port}`] as const), [proxyPort, 'proxy'] as const];
    return {
      folder: sockets.path,
      proxyPort,
      relays: relays.map(([port, name]) => ({ port, socket: join(socketsInside, name) })),
    };
  }

  /** Closes the network of an agent that is archived or deleted. */
  async release(agentId: string): Promise<void> {
    const open = await this.#open.get(agentId)?.catch(() => undefined);
    this.#open.delete(agentId);
    await open?.sockets.remove();
  }

  /** Stops listening. The sockets stay where they are, for the next process to replace. */
  async stop(): Promise<void> {
    for (const opening of this.#open.values()) await (await opening.catch(() => undefined))?.sockets.close();
    this.#open.clear();
  }

  get #service(): URL {
    return new URL(this.#options.baseUrl);
  }

  async #begin(agentId: string, policy: NetworkPolicy): Promise<Open> {
    const name = `net-${agentId.slice(-12).toLowerCase()}`;
    return {
      policy,
      refusals: new RefusalGate(),
      sockets: await SocketFolder.open(join(await this.#options.folder(), name)),
    };
  }

  /** The proxy is loaded with the first agent that needs it, because most hosts have none. */
  async #proxy(agentId: string, open: Open): Promise<Listener> {
    const { filterProxy } = await import('#world/isolation/filter-proxy.ts');
    const { environment, onRefused } = this.#options;
    const { hostname, port, protocol } = this.#service;
    // The port of muster alone: the bus and the database may be on the same machine.
    const own = isLoopback(hostname) ? [] : [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`];
    return filterProxy({
      parent: parentOf(environment),
      onRefused: ({ host, port }) => {
        const destination = `${host}:${port}`;
        if (host !== probedHost && open.refusals.admits(destination)) onRefused(agentId, destination);
      },
      policy: () => {
        const { network, grants, models } = open.policy;
        return network === 'none'
          ? { granted: own, models: [] }
          : { granted: [...own, ...(grants.hosts ?? [])], models };
      },
    });
  }
}

function portsOf({ network, grants: { loopbackPorts = [] } }: NetworkPolicy, service: URL): number[] {
  const own = isLoopback(service.hostname) ? [Number(service.port || 80)] : [];
  return [...new Set([...own, ...(network === 'none' ? [] : loopbackPorts)])];
}

function parentOf(environment: Readonly<Record<string, string>>) {
  const named = (name: string) => environment[name] ?? environment[name.toLowerCase()];
  const [httpProxy, httpsProxy, noProxy] = [named('HTTP_PROXY'), named('HTTPS_PROXY'), named('NO_PROXY')];
  return {
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    ...(noProxy && { noProxy }),
  };
}
