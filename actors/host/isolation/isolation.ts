import { isLoopback } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import { type Check, well } from '#contract/host/check.ts';
import type { Log } from '#contract/process-context.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { type SandboxPrograms, sandboxed } from '#world/isolation/bubblewrap.ts';
import { checkUnlinked } from '#world/isolation/mount.ts';
import {
  type Endpoints,
  keepEndpoints,
  keptEndpoints,
  type PrivateFolder,
  privateFolderOf,
  removePrivate,
} from '#world/isolation/private-home.ts';
import { probe } from '#world/isolation/probe.ts';
import { findProgram } from '#world/program/find-program.mjs';
import type { AgentNetwork, AgentNetworks, NetworkPolicy } from './agent-networks.ts';
import { type HostFolders, type IsolatedProgram, type IsolatedSubject, sandboxSpec } from './sandbox-spec.ts';

/** Makes the command line that runs a program isolated. */
export type Around = (argv: readonly string[]) => readonly string[];

export interface IsolationOptions {
  readonly folders: HostFolders;
  readonly networks: AgentNetworks;
  readonly harnesses: Pick<Harnesses, 'find'>;
  /** The current PATH on which programs are looked up. */
  readonly programs: () => string;
  readonly env: Readonly<Record<string, string>>;
  readonly log: Pick<Log, 'warn'>;
  /** The port of the bus, which no sandbox may reach. */
  readonly busPort: number;
}

/** What the isolation of an agent's program needs to know of it. */
export type ProgramToIsolate = Omit<IsolatedProgram, 'needs'>;

const none: Around = (argv) => argv;

const howToMend =
  'allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone, or the AppArmor profile of bwrap)';

/** Starts programs of isolated agents so that they reach only what is granted, and checks that they do not. */
export class Isolation {
  readonly #options: IsolationOptions;

  constructor(options: IsolationOptions) {
    this.#options = options;
  }

  /**
   * How a program of an agent is started: as it is, or isolated, after a probe has tried that it holds.
   * @throws ISOLATION_UNAVAILABLE; ISOLATION_UNSAFE
   */
  async around(subject: IsolatedSubject, program: ProgramToIsolate): Promise<Around> {
    if (subject.launch.isolation === undefined) return none;
    const programs = this.#programs();
    const { folders, harnesses, busPort } = this.#options;
    const needs = harnesses.find(subject.launch.harness)?.isolated;
    const network = await this.#network(subject, this.#endpoints(subject, program));
    const spec = await sandboxSpec(subject, { ...program, needs }, folders, network);
    checkUnlinked(spec.mounts);
    const around: Around = (argv) => sandboxed(programs, spec, argv);
    await probe({
      around,
      env: program.env,
      home: program.env['HOME'] ?? '/',
      stateFolder: folders.stateFolder,
      network: network && { socat: programs.socat, proxyPort: network.proxyPort, busPort },
      nonce: subject.id,
    });
    return around;
  }

  /** Whether agents can be isolated on this host. */
  async check(): Promise<Check> {
    const { folders, env } = this.#options;
    const name = 'sandbox';
    const found = this.#find();
    if (typeof found === 'string') return well(name, found);
    try {
      const spec = { mounts: [], cwd: '/', network: 'host', relays: [], set: {}, unset: [] } as const;
      const around: Around = (argv) => sandboxed(found, spec, argv);
      const place = { home: env['HOME'] ?? '/', stateFolder: folders.stateFolder, network: undefined, nonce: 'doctor' };
      await probe({ around, env, ...place });
      return well(name, `agents can be isolated by ${found.bwrap}`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { name, outcome: 'warn', found: error.message, mend: howToMend };
    }
  }

  /** Opens the network of an agent whose window an earlier process has opened. */
  keep(subject: IsolatedSubject): void {
    if (subject.launch.isolation === undefined) return;
    const warn = (err: unknown): void =>
      this.#options.log.warn({ err, agentId: subject.id }, 'the network of an isolated agent cannot be opened');
    this.#network(subject, keptEndpoints(this.#privateFolder(subject))).catch(warn);
  }

  /** Closes the network of an agent that is archived or deleted. */
  async forget(agentId: string): Promise<void> {
    await this.#options.networks.release(agentId);
  }

  /** Removes the private files of an agent that is deleted. */
  async remove({ id }: Pick<IsolatedSubject, 'id'>): Promise<void> {
    await this.forget(id);
    await removePrivate(this.#privateFolder({ id }));
  }

  async #network(subject: IsolatedSubject, endpoints: Endpoints): Promise<AgentNetwork | undefined> {
    const policy = this.#policy(subject, endpoints);
    return policy && this.#options.networks.ensure(subject.id, policy);
  }

  #policy({ launch }: IsolatedSubject, own: Endpoints): NetworkPolicy | undefined {
    const { grants = {}, harness } = launch;
    if (grants.network === 'NETWORK_ACCESS_OPEN') return undefined;
    if (grants.network === 'NETWORK_ACCESS_NONE') return { network: 'none', grants, models: [] };
    const models = this.#options.harnesses.find(harness)?.isolated?.hosts ?? [];
    // A person named these servers: they may be in a private network.
    const hosts = [...(grants.hosts ?? []), ...own.hosts];
    const loopbackPorts = [...(grants.loopbackPorts ?? []), ...own.ports];
    return { network: 'filtered', grants: { ...grants, hosts, loopbackPorts }, models };
  }

  /** The model servers of a program. One that runs beside its agent does not take the agent's away. */
  #endpoints(subject: IsolatedSubject, { env, isBeside }: ProgramToIsolate): Endpoints {
    const own = endpointsIn(env);
    const folder = this.#privateFolder(subject);
    if (!isBeside) {
      keepEndpoints(folder, own);
      return own;
    }
    const { ports, hosts } = keptEndpoints(folder);
    return { ports: [...own.ports, ...ports], hosts: [...own.hosts, ...hosts] };
  }

  #privateFolder({ id }: Pick<IsolatedSubject, 'id'>): PrivateFolder {
    return privateFolderOf(this.#options.folders.sandboxes, id);
  }

  #programs(): SandboxPrograms {
    const found = this.#find();
    if (typeof found === 'string') throw new Failure('ISOLATION_UNAVAILABLE', found);
    return found;
  }

  /** The programs that make sandboxes, or what is missing and what to do about it. */
  #find(): SandboxPrograms | string {
    const path = this.#options.programs();
    const [bwrap, socat] = [findProgram('bwrap', path), findProgram('socat', path)];
    if (process.platform === 'linux' && bwrap && socat) return { bwrap, socat };
    return howToIsolate(bwrap === undefined ? 'bwrap' : 'socat');
  }
}

/** What this host lacks to isolate agents, and what to do about it. */
function howToIsolate(missing: string): string {
  if (process.platform !== 'linux') {
    return `cannot be isolated on ${process.platform} yet: launch it on a Linux host, or with isolation none`;
  }
  return `cannot be isolated: ${missing} is not on the PATH of this host. Install bubblewrap and socat, then retry`;
}

/** The model servers that variables such as ANTHROPIC_BASE_URL name: ports of this machine, and hosts. */
function endpointsIn(env: Readonly<Record<string, string>>): Endpoints {
  const named = Object.entries(env).filter(([name]) => /(?:_BASE_URL|_API_BASE|_ENDPOINT|_HOST)$/.test(name));
  const urls = named
    .filter(([name]) => name !== 'SERVICE_BASE_URL')
    .flatMap(([, value]) => URL.parse(value) ?? [])
    .filter(({ protocol }) => /^https?:$/.test(protocol));
  const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));
  return {
    ports: urls.filter(({ hostname }) => isLoopback(hostname)).map(portOf),
    hosts: urls.filter(({ hostname }) => !isLoopback(hostname)).map((url) => `${url.hostname}:${portOf(url)}`),
  };
}
