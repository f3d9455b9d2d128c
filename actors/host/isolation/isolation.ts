import { Failure } from '#contract/failure.ts';
import type { Check } from '#contract/host/check.ts';
import type { Runtime } from '#contract/host/isolation.ts';
import { limitsIn } from '#contract/host/limits.ts';
import type { Log } from '#contract/process-context.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import type { AgentLogins } from '#world/isolation/login/agent-logins.ts';
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
import { endContainers } from '#world/process/container-init.ts';
import type { AgentLimits } from './agent-limits.ts';
import type { AgentNetwork, AgentNetworks, NetworkPolicy } from './agent-networks.ts';
import { engineSockets } from './engine-sockets.ts';
import { endpointsIn } from './model-servers.ts';
import { checkContainers, checkSandbox } from './runtime-checks.ts';
import { type Around, foundRuntime, type RuntimeOrder } from './runtimes.ts';
import {
  type HostFolders,
  type IsolatedProgram,
  type IsolatedSubject,
  loginsFor,
  sandboxSpec,
} from './sandbox-spec.ts';

export interface IsolationOptions {
  readonly folders: HostFolders;
  readonly networks: AgentNetworks;
  readonly limits: AgentLimits;
  readonly logins: AgentLogins;
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

/**
 * Starts programs of isolated agents so that they reach only what is granted, and checks that they do. Any agent's programs
 * use only what its limits allow.
 */
export class Isolation {
  readonly #options: IsolationOptions;
  /** What isolates each agent of this host that is isolated. */
  readonly #isolated = new Map<string, Runtime>();

  constructor(options: IsolationOptions) {
    this.#options = options;
  }

  /**
   * How a program of an agent is started: as it is, limited, or isolated, after a probe has shown that the isolation holds.
   * @throws ISOLATION_UNAVAILABLE; ISOLATION_UNSAFE
   */
  around(subject: IsolatedSubject, program: ProgramToIsolate): Promise<Around> {
    return withMutex(turnOf(subject), () => this.#around(subject, program));
  }

  async #around(subject: IsolatedSubject, program: ProgramToIsolate): Promise<Around> {
    const { isolation, grants } = subject.launch;
    const limited = await this.#options.limits.around(subject, program);
    if (isolation === undefined) return limited;
    const { folders, harnesses, busPort } = this.#options;
    const order = this.#order(subject.id, program);
    const { image = '' } = grants ?? {};
    const asked = { ...order, image, limits: limitsIn(grants) };
    const runtime = await foundRuntime(isolation, this.#options.programs(), asked);
    await runtime.checkLimits();
    const needs = harnesses.find(subject.launch.harness)?.isolated;
    if (isolation === 'container' && !program.isBeside) await endContainers(subject.id);
    this.#isolated.set(subject.id, isolation);
    const network = await this.#network(subject, this.#endpoints(subject, program));
    const surroundings = { network, shown: runtime.shown, engines: engineSockets(this.#options.env) };
    const spec = await sandboxSpec(subject, { ...program, needs }, folders, surroundings);
    checkUnlinked(spec.mounts);
    if (!program.isBeside) await this.#placeLogins(subject, { ...program, needs });
    const isolated = runtime.around(spec);
    const around: Around = (argv) => limited(isolated(argv));
    // The probe needs no relay but the filter’s.
    const probed = runtime.around({ ...spec, relays: spec.relays.filter(({ port }) => port === network?.proxyPort) });
    await probe({
      around: (argv) => limited(probed(argv)),
      env: program.env,
      home: program.env['HOME'] ?? '/',
      stateFolder: folders.stateFolder,
      network: network && { socat: runtime.socat, proxyPort: network.proxyPort, busPort },
      minFilters: runtime.minFilters,
      nonce: subject.id,
      explain: runtime.explain,
    });
    return around;
  }

  /** Which ways to isolate and to limit agents work on this host, and why others do not. */
  async checks(): Promise<Check[]> {
    const { env, programs } = this.#options;
    const order = this.#order('doctor', { env, programs: [] });
    const asked = { order, programs: programs(), home: env['HOME'] ?? '/' };
    return [await checkSandbox(asked), await checkContainers(asked), this.#options.limits.check()];
  }

  get limits(): AgentLimits {
    return this.#options.limits;
  }

  /** The limit that an agent exceeded, such as `512 MiB of memory`; undefined if there is none. */
  exceeded(agentId: string): string | undefined {
    return this.#options.limits.exceeded(agentId);
  }

  /** Opens the network of an agent whose window an earlier process has opened. */
  keep(subject: IsolatedSubject): void {
    this.#options.limits.keep(subject);
    const { isolation } = subject.launch;
    if (isolation === undefined) return;
    this.#isolated.set(subject.id, isolation);
    const warn = (err: unknown): void =>
      this.#options.log.warn(
        { err, agentId: subject.id },
        'the network or the login of an isolated agent cannot be opened',
      );
    this.#network(subject, keptEndpoints(this.#privateFolder(subject))).catch(warn);
    this.#options.logins.keep(subject.id, this.#privateFolder(subject)).catch(warn);
  }

  /** Ends what is left of an agent that is archived or deleted, and closes its network. */
  forget(agentId: string): Promise<void> {
    return withMutex(turnOf({ id: agentId }), () => this.#forget(agentId));
  }

  async #forget(agentId: string): Promise<void> {
    if (this.#isolated.get(agentId) === 'container') await endContainers(agentId);
    this.#isolated.delete(agentId);
    await this.#options.limits.forget(agentId);
    try {
      await this.#options.logins.forget(agentId);
    } finally {
      await this.#options.networks.release(agentId);
    }
  }

  /** Removes the private files of an agent that is deleted. */
  remove({ id }: Pick<IsolatedSubject, 'id'>): Promise<void> {
    return withMutex(turnOf({ id }), async () => {
      await this.#forget(id);
      await removePrivate(this.#privateFolder({ id }));
    });
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
    if (loopbackPorts.includes(this.#options.busPort)) throw reachesBus(this.#options.busPort);
    return { network: 'filtered', grants: { ...grants, hosts, loopbackPorts }, models };
  }

  #placeLogins(subject: IsolatedSubject, program: IsolatedProgram): Promise<void> {
    const folder = this.#privateFolder(subject);
    return this.#options.logins.place(subject.id, folder, loginsFor(program, folder));
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

  #order(agentId: string, { env, programs }: Pick<ProgramToIsolate, 'env' | 'programs'>): Omit<RuntimeOrder, 'image'> {
    const { folders, env: environment } = this.#options;
    return { agentId, variables: env, programs, stateFolder: folders.stateFolder, environment };
  }
}

function reachesBus(port: number): Failure {
  return new Failure(
    'ISOLATION_UNSAFE',
    `cannot be isolated: port ${port} of this machine, which is granted or a model server’s, is the bus. Grant other ports`,
  );
}

/** Starting a program of an agent and forgetting the agent wait for each other: neither undoes the other. */
const turnOf = ({ id }: Pick<IsolatedSubject, 'id'>): string => `isolation ${id}`;
