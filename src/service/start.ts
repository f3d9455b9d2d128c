import { join } from 'node:path';
import { hostId } from '#actors/host/serve/identity.ts';
import { databaseAddress } from '#actors/registry/configured-database.ts';
import { trustOf } from '#bus/identity/bus-keys.ts';
import { addressesOf } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import { fileFailure, fileFaultOf } from '#contract/file-fault.ts';
import type { Config, Log } from '#contract/process-context.ts';
import { removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { prepareNatsServer } from '#world/net/nats-server.ts';
import { findPort } from '#world/net/tcp-port.ts';
import type { ChildSpec } from '#world/process/child-process.ts';
import { endSurvivor } from '#world/process/pid-file.ts';
import { sweepSignInPages } from '#world/program/sign-in-page.ts';
import { requireFinishedRestore } from './backup/unfinished.ts';
import { writeCredential } from './bus/bus-credential-file.ts';
import { busKeysFileOf } from './bus/bus-credentials.ts';
import { keepBusKeys, requireBusKeys } from './bus/bus-keys.ts';
import type { HealthLimits } from './child-health.ts';
import { Supervisor } from './children.ts';
import { readConfig } from './config.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { mainFile, otherHome, prepareStateFolder, type StateFolder } from './state-folder.ts';

/** How many bytes a failed start tries to write, to detect a full disk. */
const trialBytes = 256 * 1024;

/** The processes of muster itself, in start order. */
const members = ['registry', 'host', 'gateway'] as const;
export type Member = (typeof members)[number];

/** The program that a member runs. */
export type MemberProgram = (member: Member) => ChildSpec['argv'];

/**
 * Limits the memory for new objects, in MiB for each of two halves. By default, Node takes 130 MiB after a burst, such as
 * fifty pages that open at once, and keeps it.
 */
const newObjectsMib = { registry: 16, host: 16, gateway: 8 } as const;

/** The arguments of Node for a member. */
export function nodeArgumentsOf(member: Member): readonly string[] {
  return [`--max-semi-space-size=${newObjectsMib[member]}`];
}

const ownProgram: MemberProgram = (member) => [process.execPath, ...nodeArgumentsOf(member), mainFile, member];

/** A running installation: the registry, a host, a gateway, and a bus unless one is configured. */
export interface Installation {
  /** The address of the gateway. */
  readonly url: string;
  /** Stops everything in reverse order within ten seconds. Agents' tmux panes keep running. May be called twice. */
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface StartOptions {
  readonly config: Config;
  /** The environment that members inherit. */
  readonly environment: Environment;
  /** The log for events of the members. */
  readonly log: Log;
  /** Aborts a start in progress. */
  readonly cancel?: AbortSignal;
  /** What each member runs; by default muster's own program. */
  readonly programOf?: MemberProgram | undefined;
  /** When a gateway that does not answer counts as hung. */
  readonly health?: HealthLimits | undefined;
}

/**
 * Starts everything on one computer. If it fails, nothing is left running.
 * @throws FAILED_PRECONDITION when the state folder or the port is in use, RESOURCE_EXHAUSTED when the disk is full,
 *   CANCELED when the start was aborted, and other failures of the members
 */
export async function startInstallation(options: StartOptions): Promise<Installation> {
  const { config, environment, log, cancel, programOf = ownProgram, health } = options;
  requireFinishedRestore(config.home);
  const folder = prepareStateFolder(config.home);
  const lock = takeOwnerLock(folder, 'start');
  const supervisor = new Supervisor({ log, ...(health && { health }) });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    lock.release();
  };
  cancel?.addEventListener('abort', () => void supervisor.stop());
  try {
    sweepSignInPages(folder.run, Date.now());
    await endSurvivors(folder);
    databaseAddress(config);
    const busEnvironments = await startBus(config, environment, folder, supervisor);
    const port = await choosePort(config);
    const url = await startMembers(folder, supervisor, programOf, (member) => ({
      ...busEnvironments(member),
      ...databaseVariables(member),
      MUSTER_PORT: String(port),
    }));
    return { url: url ?? readConfig({ ...environment, MUSTER_PORT: String(port) }).baseUrl, stop };
  } catch (error) {
    await stop();
    throw cancel?.aborted ? error : startFailure(error, folder);
  }
}

/** The failure of a start. If the disk cannot be written, that is the cause of the members' failures. */
function startFailure(error: unknown, { home, run }: StateFolder): unknown {
  const subject = `muster cannot start in ${home}`;
  const trial = join(run, 'start.trial');
  try {
    writePrivateFile(trial, 'x'.repeat(trialBytes));
    removePrivateFile(trial);
  } catch (fault) {
    return fileFailure(fault, subject, otherHome);
  }
  return fileFaultOf(error) === undefined ? error : fileFailure(error, subject, otherHome);
}

/** Ends processes that an earlier, killed start left running, such as a gateway on the port. */
async function endSurvivors({ run }: StateFolder): Promise<void> {
  await Promise.all(members.map((member) => endSurvivor(pidFileOf(run, member), 5_000)));
}

const pidFileOf = (run: string, member: Member): string => join(run, `${member}.pid`);

/**
 * Starts a bus if none is configured, and returns the environment of each member with its access to the bus. The
 * credentials are in files that only their owner may read, because everybody sees command lines, and agents inherit the
 * environment.
 */
async function startBus(
  config: Config,
  environment: Environment,
  folder: StateFolder,
  supervisor: Supervisor,
): Promise<(member: Member) => Environment> {
  const keysFile = busKeysFileOf(config);
  const keys = config.busUrl === undefined ? keepBusKeys(keysFile) : requireBusKeys(keysFile);
  let url = config.busUrl;
  if (url === undefined) {
    const trust = await trustOf(keys);
    const logFile = join(folder.logs, 'nats-server.log');
    ({ url } = await supervisor.start(prepareNatsServer({ folder: folder.run, logFile, trust })));
  }
  const credentials = {
    gateway: join(folder.run, 'bus-gateway.creds'),
    host: join(folder.run, 'bus-host.creds'),
  };
  await writeCredential(credentials.gateway, keys, { kind: 'gateway' });
  await writeCredential(credentials.host, keys, { kind: 'host', hostId: hostId(folder.home) });
  return (member) => ({
    ...environment,
    MUSTER_BUS_URL: url,
    MUSTER_BUS_KEYS: member === 'registry' ? keysFile : undefined,
    MUSTER_BUS_CREDENTIALS: member === 'registry' ? undefined : credentials[member],
  });
}

/** A member's variables for the database, which only the registry gets. */
function databaseVariables(member: Member): Environment {
  return member === 'registry' ? {} : { MUSTER_DATABASE_URL: undefined, MUSTER_DATABASE_PASSWORD_FILE: undefined };
}

/** Chooses the port before any member starts, so that agents get an address that stays valid across restarts. */
async function choosePort({ bind, port }: Config): Promise<number> {
  const found = await findPort(addressesOf(bind), port);
  if ('port' in found) return found.port;
  throw new Failure(
    'PORT_TAKEN',
    `Port ${port} on ${found.takenAt} is in use by another program, which browsers may take for muster. ` +
      'End it, or set MUSTER_PORT to another port (0 means any free one).',
  );
}

async function startMembers(
  { run }: StateFolder,
  supervisor: Supervisor,
  programOf: MemberProgram,
  environmentOf: (member: Member) => Environment,
): Promise<string | undefined> {
  let url: string | undefined;
  for (const member of members) {
    const child = await supervisor.start({
      name: member,
      argv: programOf(member),
      env: environmentOf(member),
      readiness: 'message',
      readyWithin: 30_000,
      ...(member === 'gateway' && { answersHttp: true }),
      pidFile: pidFileOf(run, member),
    });
    url = child.url ?? url;
  }
  return url;
}
