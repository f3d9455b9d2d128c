import { join } from 'node:path';
import { databaseAddress } from '#actors/registry/configured-database.ts';
import { addressesOf } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import { fileFailure, fileFaultOf } from '#contract/file-fault.ts';
import type { Config, Log } from '#contract/process-context.ts';
import { removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { findPort } from '#world/net/tcp-port.ts';
import type { ChildSpec, RunningChild } from '#world/process/child-process.ts';
import { endSurvivor } from '#world/process/pid-file.ts';
import { sweepSignInPages } from '#world/program/sign-in-page.ts';
import { requireFinishedRestore } from './backup/unfinished.ts';
import type { HealthLimits } from './child-health.ts';
import { Supervisor } from './children.ts';
import { readConfig } from './config.ts';
import { planJoined } from './join/joined-plan.ts';
import { readJoined, whyEnded } from './join/joined-state.ts';
import { requireFinishedJoin } from './join/pending-join.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { type Environment, type Member, type Plan, type PlannedMember, planInstallation } from './start-plan.ts';
import { mainFile, otherHome, prepareStateFolder, type StateFolder } from './state-folder.ts';

/** How many bytes a failed start tries to write, to detect a full disk. */
const trialBytes = 256 * 1024;

/** The names of the processes that a start may run. */
const names = ['registry', 'host', 'gateway', 'network-gateway'] as const;

/** The program that a member runs. */
export type MemberProgram = (member: Member) => ChildSpec['argv'];

/**
 * The memory for new objects, in MiB for each of two halves. By default, Node takes 130 MiB after a burst, such as
 * fifty pages that open at once, and keeps it; and it begins with so little that a start collects garbage for a tenth
 * of its time.
 */
const newObjectsMib = { registry: 16, host: 16, gateway: 8 } as const;

/** The arguments of Node for a member. */
export function nodeArgumentsOf(member: Member): readonly string[] {
  return ['max', 'min'].map((end) => `--${end}-semi-space-size=${newObjectsMib[member]}`);
}

const ownProgram: MemberProgram = (member) => [process.execPath, ...nodeArgumentsOf(member), mainFile, member];

/** A running installation: the registry, a host, a gateway, and a bus unless one is configured. */
export interface Installation {
  /** The address of the gateway. */
  readonly url: string;
  /** Why the registry refuses the host; undefined if it does not. */
  readonly refusal: string | undefined;
  /** Where other machines join; undefined if they cannot. */
  readonly entrance: Plan['entrance'];
  /** Resolves if the machine no longer belongs to the installation that it joined. */
  readonly removed: Promise<Failure>;
  /** Stops everything in reverse order within ten seconds. Agents' tmux panes keep running. May be called twice. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly config: Config;
  /** The environment that members inherit. */
  readonly environment: Environment;
  /** The log for events of the members. */
  readonly log: Log;
  /** Aborts a start in progress. */
  readonly cancel?: AbortSignal;
  /** The program of each member; by default muster's own. */
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
  const ended = whyEnded(config.home);
  if (ended !== undefined) throw ended;
  if (readJoined(config.home) === undefined) requireFinishedJoin(config.home);
  const folder = prepareStateFolder(config.home);
  const lock = takeOwnerLock(folder, 'start');
  const { promise: removed, resolve: remove } = Promise.withResolvers<Failure>();
  const isFinal = (): boolean => {
    const why = whyEnded(config.home);
    if (why !== undefined) remove(why);
    return why !== undefined;
  };
  const supervisor = new Supervisor({ log, isFinal, ...(health && { health }) });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    lock.release();
  };
  cancel?.addEventListener('abort', () => void supervisor.stop());
  try {
    sweepSignInPages(folder.run, Date.now());
    await endSurvivors(folder);
    databaseAddress(config);
    const planning = { config, environment, folder, supervisor };
    const joined = readJoined(config.home);
    const plan = joined === undefined ? await planInstallation(planning) : planJoined(planning, joined);
    const port = await choosePort(joined === undefined ? config : { ...config, bind: '127.0.0.1' });
    const { url, refusal } = await startMembers(folder, supervisor, programOf, plan.members, port);
    return {
      url: url ?? readConfig({ ...environment, MUSTER_PORT: String(port) }).baseUrl,
      refusal,
      removed,
      entrance: plan.entrance,
      stop,
    };
  } catch (error) {
    await stop();
    throw cancel?.aborted ? error : (whyEnded(config.home) ?? startFailure(error, folder));
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
  await Promise.all(names.map((name) => endSurvivor(pidFileOf(run, name), 5_000)));
}

const pidFileOf = (run: string, name: string): string => join(run, `${name}.pid`);

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
  plan: readonly PlannedMember[],
  port: number,
): Promise<Pick<RunningChild, 'url' | 'refusal'>> {
  let url: string | undefined;
  let refusal: string | undefined;
  for (const { name, member, environment, port: own = port } of plan) {
    const child = await supervisor.start({
      name,
      argv: programOf(member),
      env: { ...environment, MUSTER_PORT: String(own) },
      readiness: 'message',
      readyWithin: 30_000,
      ...(member === 'gateway' && { answersHttp: true }),
      pidFile: pidFileOf(run, name),
    });
    if (name === 'gateway') url = child.url;
    if (name === 'host') refusal = child.refusal;
  }
  return { url, refusal };
}
