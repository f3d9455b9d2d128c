import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { hostId } from '#actors/host/serve/identity.ts';
import { type BusKeys, trustOf } from '#bus/identity/bus-keys.ts';
import type { Config } from '#contract/process-context.ts';
import { prepareNatsServer } from '#world/net/nats-server.ts';
import { writeCredential } from './bus/bus-credential-file.ts';
import { busKeysFileOf } from './bus/bus-credentials.ts';
import { keepBusKeys, requireBusKeys } from './bus/bus-keys.ts';
import { readRevocations, revocationsFileIn } from './bus/bus-revocations.ts';
import type { Supervisor } from './children.ts';
import { isWildcard, type NetworkEntrance, openEntrance } from './network/entrance.ts';
import type { StateFolder } from './state-folder.ts';

/** The processes of muster itself. */
export type Member = 'registry' | 'host' | 'gateway';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A process that `muster start` runs, and its whole environment. */
export interface PlannedMember {
  readonly name: string;
  readonly member: Member;
  readonly environment: Environment;
  /** The port that it listens on, if it is not that of the installation. */
  readonly port?: number;
}

/** The inputs of a plan. */
export interface StartPlanOptions {
  readonly config: Config;
  /** The environment that members inherit. */
  readonly environment: Environment;
  readonly folder: StateFolder;
  readonly supervisor: Supervisor;
}

/** The members that a start runs, in order, and where other machines join. */
export interface Plan {
  readonly members: readonly PlannedMember[];
  /** Undefined if other machines cannot. */
  readonly entrance?: { readonly url: string; readonly authorityFile: string } | undefined;
}

/**
 * Plans an installation of its own, and starts its bus if none is configured. The credentials are in files that only
 * their owner may read, because everybody sees command lines, and agents inherit the environment.
 */
export async function planInstallation(planning: StartPlanOptions): Promise<Plan> {
  const { config, folder } = planning;
  const keysFile = busKeysFileOf(config);
  const keys = config.busUrl === undefined ? keepBusKeys(keysFile) : requireBusKeys(keysFile);
  const network = await openEntrance(config, Date.now());
  const url = config.busUrl ?? (await startBus(planning, keys, network));
  const credentials = { gateway: join(folder.run, 'bus-gateway.creds'), host: join(folder.run, 'bus-host.creds') };
  await writeCredential(credentials.gateway, keys, { kind: 'gateway' });
  await writeCredential(credentials.host, keys, { kind: 'host', hostId: hostId(folder.home) });
  const all = {
    ...planning.environment,
    MUSTER_BUS_URL: url,
    ...(network && { MUSTER_BUS_CA: network.tls.authorityFile }),
    ...(network?.gateway && { MUSTER_BIND: config.bind }),
  };
  const { gateway } = network ?? {};
  const registry = {
    ...all,
    ...(gateway && entranceVariables(network)),
    MUSTER_BUS_KEYS: keysFile,
    MUSTER_BUS_CREDENTIALS: undefined,
  };
  const others = {
    ...all,
    MUSTER_DATABASE_URL: undefined,
    MUSTER_DATABASE_PASSWORD_FILE: undefined,
    MUSTER_BUS_KEYS: undefined,
  };
  const local = { ...others, MUSTER_BUS_CREDENTIALS: credentials.gateway };
  return {
    members: [
      { name: 'registry', member: 'registry', environment: registry },
      { name: 'host', member: 'host', environment: { ...others, MUSTER_BUS_CREDENTIALS: credentials.host } },
      { name: 'gateway', member: 'gateway', environment: local },
      ...(gateway === undefined ? [] : [networkGateway(local, network)]),
    ],
    ...(gateway && { entrance: { url: gateway.url, authorityFile: network?.tls.authorityFile ?? '' } }),
  };
}

/** Where machines join, for the registry. */
function entranceVariables(network: NetworkEntrance | undefined): Environment {
  return { MUSTER_JOIN_URL: network?.gateway?.url, MUSTER_JOIN_CERT: network?.tls.authorityFile };
}

/** A second gateway, which other machines reach. */
function networkGateway(environment: Environment, network: NetworkEntrance | undefined): PlannedMember {
  const { bind, port = 0, url } = network?.gateway ?? {};
  return {
    name: 'network-gateway',
    member: 'gateway',
    port,
    environment: {
      ...environment,
      MUSTER_BIND: bind,
      MUSTER_URL: url,
      MUSTER_TLS_CERT: network?.tls.certFile,
      MUSTER_TLS_KEY: network?.tls.keyFile,
    },
  };
}

/** Starts the bus, and returns the address at which processes on this machine join it. */
async function startBus(
  { folder, supervisor }: StartPlanOptions,
  keys: BusKeys,
  entrance: NetworkEntrance | undefined,
): Promise<string | undefined> {
  const trust = await trustOf(keys, readRevocations(revocationsFileIn(folder.home)));
  const logFile = join(folder.logs, 'nats-server.log');
  const network = entrance && { ...entrance.bus, ...entrance.tls };
  const { url } = await supervisor.start(await prepareNatsServer({ folder: folder.run, logFile, trust, network }));
  if (network === undefined) return url;
  const { bind, port } = network;
  return `tls://${isWildcard(bind) ? '127.0.0.1' : isIPv6(bind) ? `[${bind}]` : bind}:${port}`;
}
