import { join } from 'node:path';
import { hostId } from '#actors/host/serve/identity.ts';
import { trustOf } from '#bus/identity/bus-keys.ts';
import type { Config } from '#contract/process-context.ts';
import { prepareNatsServer } from '#world/net/nats-server.ts';
import { writeCredential } from './bus/bus-credential-file.ts';
import { busKeysFileOf } from './bus/bus-credentials.ts';
import { keepBusKeys, requireBusKeys } from './bus/bus-keys.ts';
import { readRevocations, revocationsFileIn } from './bus/bus-revocations.ts';
import type { Supervisor } from './children.ts';
import type { StateFolder } from './state-folder.ts';

/** The processes of muster itself. */
export type Member = 'registry' | 'host' | 'gateway';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A process that `muster start` runs, and its whole environment. */
export interface PlannedMember {
  readonly name: string;
  readonly member: Member;
  readonly environment: Environment;
}

/** What a plan is made for. */
export interface Planning {
  readonly config: Config;
  /** The environment that members inherit. */
  readonly environment: Environment;
  readonly folder: StateFolder;
  readonly supervisor: Supervisor;
}

/**
 * Plans an installation of its own, in start order, and starts its bus if none is configured. The credentials are in
 * files that only their owner may read, because everybody sees command lines, and agents inherit the environment.
 */
export async function planInstallation(planning: Planning): Promise<readonly PlannedMember[]> {
  const { config, environment, folder } = planning;
  const keysFile = busKeysFileOf(config);
  const keys = config.busUrl === undefined ? keepBusKeys(keysFile) : requireBusKeys(keysFile);
  const url =
    config.busUrl ?? (await startBus(planning, await trustOf(keys, readRevocations(revocationsFileIn(folder.home)))));
  const credentials = { gateway: join(folder.run, 'bus-gateway.creds'), host: join(folder.run, 'bus-host.creds') };
  await writeCredential(credentials.gateway, keys, { kind: 'gateway' });
  await writeCredential(credentials.host, keys, { kind: 'host', hostId: hostId(folder.home) });
  const all = { ...environment, MUSTER_BUS_URL: url };
  const registry = { ...all, MUSTER_BUS_KEYS: keysFile, MUSTER_BUS_CREDENTIALS: undefined };
  const other = (member: 'host' | 'gateway') => ({
    ...all,
    ...withoutDatabase,
    MUSTER_BUS_KEYS: undefined,
    MUSTER_BUS_CREDENTIALS: credentials[member],
  });
  return [
    { name: 'registry', member: 'registry', environment: registry },
    { name: 'host', member: 'host', environment: other('host') },
    { name: 'gateway', member: 'gateway', environment: other('gateway') },
  ];
}

/** The variables for the database, which only the registry gets. */
const withoutDatabase = { MUSTER_DATABASE_URL: undefined, MUSTER_DATABASE_PASSWORD_FILE: undefined } as const;

async function startBus(
  { folder, supervisor }: Planning,
  trust: Awaited<ReturnType<typeof trustOf>>,
): Promise<string | undefined> {
  const logFile = join(folder.logs, 'nats-server.log');
  return (await supervisor.start(prepareNatsServer({ folder: folder.run, logFile, trust }))).url;
}
