import { readdirSync, readFileSync, rmSync } from 'node:fs';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import type { Bus, BusOptions } from '#bus/bus.ts';
import { connectBus } from '#bus/connection.ts';
import { authenticatorOf } from '#bus/identity/authenticator.ts';
import {
  type BusKeys,
  certify,
  makeBusKeys,
  makeMemberKey,
  type Revocations,
  trustOf,
} from '#bus/identity/bus-keys.ts';
import { credentialText } from '#bus/identity/credential.ts';
import { inboxOf } from '#bus/subjects.ts';
import type { BusMember, BusUser } from '#contract/access/bus-member.ts';
import type { BusCredential } from '#contract/process-context.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { isWorker } from '#test/support/worker.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { prepareNatsServer } from '#world/net/nats-server.ts';
import { type ChildSpec, launchChild, type RunningChild } from '#world/process/child-process.ts';

/** A nats-server of a test that runs, and the keys that it trusts. */
export interface TestNatsServer extends RunningChild {
  readonly url: string;
  readonly keys: BusKeys;
}

/**
 * The keys of the buses of this process's tests. To make keys and to sign with them takes longer than to start a
 * server.
 */
const sharedKeys = makeBusKeys();
const sharedTrust = trustOf(sharedKeys);
const sharedCredentials = new Map<string, Promise<BusCredential>>();

/** A nats-server of a test, configured but not started. */
export async function setUpNatsServer(
  folder: string,
  keys = sharedKeys,
  revocations?: Revocations,
): Promise<ChildSpec> {
  const isShared = keys === sharedKeys && revocations === undefined;
  const trust = await (isShared ? sharedTrust : trustOf(keys, revocations));
  return prepareNatsServer({ folder, logFile: `${folder}/nats.log`, trust });
}

/** Starts a nats-server with its files in a folder. */
export async function startNatsServer(folder: string): Promise<TestNatsServer> {
  const keys = sharedKeys;
  const child = await launchChild(await setUpNatsServer(folder, keys));
  return { ...child, url: child.url ?? '', keys };
}

/** A credential that the keys of a bus certify; of the keys that tests share, always the same. */
export function credentialOf(keys: BusKeys, member: BusMember): Promise<BusCredential> {
  if (keys !== sharedKeys) return makeCredential(keys, member);
  const name = `${member.kind} ${member.hostId}`;
  const credential = sharedCredentials.get(name) ?? makeCredential(keys, member);
  sharedCredentials.set(name, credential);
  return credential;
}

async function makeCredential(keys: BusKeys, member: BusMember): Promise<BusCredential> {
  const { publicKey, seed } = makeMemberKey();
  const jwt = await certify(keys, member, publicKey);
  return { jwt: () => jwt, seed };
}

/** Writes such a credential into a file, and returns its path. */
export async function writeCredential(file: string, keys: BusKeys, member: BusMember): Promise<string> {
  const { jwt, seed } = await credentialOf(keys, member);
  writePrivateFile(file, credentialText({ jwt: jwt(), seed }));
  return file;
}

/** The same for a member that the keys of a bus certify, and its inbox. */
export async function loginOf(keys: BusKeys, member: BusMember) {
  return { authenticator: authenticatorOf(await credentialOf(keys, member)), inboxPrefix: inboxOf(member) };
}

/** A real nats-server, and the buses that were joined to it. */
export interface NatsFixture {
  readonly url: string;
  readonly keys: BusKeys;
  /** Joins as a member, a host as `hst_1`; the bus is closed with the fixture. */
  join(user: BusUser, more?: Partial<BusOptions>): Promise<Bus>;
  /** Joins as a host. */
  joinHost(hostId: string, more?: Partial<BusOptions>): Promise<Bus>;
  /** Connects as a member, without muster between; the caller closes it. */
  connect(user: BusUser, hostId?: string): Promise<NatsConnection>;
  signal(name: NodeJS.Signals): void;
  /** Ends the server without a word (SIGKILL). */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** Deletes the claims that it was sent: when it starts again, it has only those of its configuration. */
  forgetClaims(): void;
  close(): Promise<void>;
}

/** A nats-server that runs, with its files. */
interface OwnServer {
  readonly folder: TemporaryFolder;
  readonly spec: ChildSpec;
  readonly child: RunningChild;
  /** The claims that it had as it started. */
  readonly claims: string;
}

/** An unused, fresh server: starting one takes a third of a registry's start. */
let idle: OwnServer | undefined;
if (isWorker) {
  process.once('exit', () => {
    if (idle === undefined) return;
    process.kill(idle.child.pid, 'SIGKILL');
    idle.folder.remove();
  });
}

async function startOwn(): Promise<OwnServer> {
  const folder = temporaryFolder('nats');
  const spec = await setUpNatsServer(folder.path);
  const child = await launchChild(spec);
  return { folder, spec, child, claims: claimsIn(folder) };
}

function claimsFolderOf({ path }: TemporaryFolder): string {
  return `${path}/nats-claims`;
}

/** All claims of a server's folder, as one text. */
function claimsIn(folder: TemporaryFolder): string {
  const path = claimsFolderOf(folder);
  return readdirSync(path)
    .toSorted()
    .map((name) => readFileSync(`${path}/${name}`, 'utf8'))
    .join('\n');
}

/**
 * A nats-server for one test. The server of an earlier fixture is used again, unless that one signalled it, connected
 * to it without the fixture, or had it refuse a member.
 */
export async function natsFixture(): Promise<NatsFixture> {
  const own = idle ?? (await startOwn());
  idle = undefined;
  const { folder, spec, claims } = own;
  let { child } = own;
  let isAsStarted = true;
  const touched = (): RunningChild => {
    isAsStarted = false;
    return child;
  };
  const keys = sharedKeys;
  const url = child.url ?? '';
  const joined: Bus[] = [];
  const joinAs = async (member: BusMember, more: Partial<BusOptions> = {}): Promise<Bus> => {
    const credential = await credentialOf(keys, member);
    const bus = await connectBus({ url, member, credential, name: member.kind, ...more });
    joined.push(bus);
    return bus;
  };
  const memberOf = (kind: BusUser, hostId = 'hst_1'): BusMember => (kind === 'host' ? { kind, hostId } : { kind });
  return {
    url,
    keys,
    join: (user, more) => joinAs(memberOf(user), more),
    joinHost: (hostId, more) => joinAs(memberOf('host', hostId), more),
    async connect(user, hostId) {
      touched();
      return connect({ servers: url, noAsyncTraces: true, ...(await loginOf(keys, memberOf(user, hostId))) });
    },
    signal: (name) => void process.kill(touched().pid, name),
    async kill() {
      process.kill(touched().pid, 'SIGKILL');
      await child.exited;
    },
    async restart() {
      touched();
      child = await launchChild(spec);
    },
    forgetClaims() {
      touched();
      const path = claimsFolderOf(folder);
      for (const file of readdirSync(path)) rmSync(`${path}/${file}`);
    },
    async close() {
      await Promise.all(joined.map((bus) => bus.close()));
      if (isWorker && isAsStarted && idle === undefined && claimsIn(folder) === claims) {
        idle = own;
        return;
      }
      await child.stop(2_000);
      folder.remove();
    },
  };
}
