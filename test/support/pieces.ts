import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostId as ownHostId } from '#actors/host/serve/identity.ts';
import { type BusKeys, makeBusKeys } from '#bus/identity/bus-keys.ts';
import { setUpNatsServer, writeCredential } from '#test/bus/nats-fixture.ts';
import { freePort } from '#test/support/free-port.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { type ChildSpec, launchChild, type RunningChild } from '#world/process/child-process.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import { gitIn } from './git-in.ts';
import { moment } from './moment.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * The processes of muster that a test may end and start again; the other host and the other registry are other
 * machines, each with a state folder of its own.
 */
export type Piece = 'registry' | 'otherRegistry' | 'host' | 'otherHost' | 'gateway';

/** An installation whose processes are started one by one, so that a test can kill any of them. */
export interface Pieces {
  readonly home: string;
  /** The state folder of the other host. */
  readonly otherHome: string;
  /** A git repository with one commit. */
  readonly repository: string;
  readonly url: string;
  /** Starts a piece that does not run. One that is killed before it is ready counts as started. */
  start(piece: Piece): Promise<void>;
  /** Ends a piece at once, as `kill -9` does. */
  kill(piece: Piece): Promise<void>;
  /** Sends a running piece a signal, such as SIGSTOP, which has it hang. */
  signal(piece: Piece, signal: NodeJS.Signals): void;
  /** Ends a piece as a person does, and waits until it has stopped. */
  halt(piece: Piece): Promise<void>;
  /** Resolves when a piece has ended, however it ended. */
  ended(piece: Piece): Promise<void>;
  /** Kills nats-server and starts another one at the same address. */
  replaceBus(): Promise<void>;
  /** Calls an operation as the person; asks again while the service cannot be reached. */
  call<T>(method: string, request: object): Promise<T>;
  /** Ends everything, the terminals too, and removes the folder. */
  stop(): Promise<void>;
}

/** The bus of an installation, and how its pieces reach it. */
export interface PiecesBus {
  readonly spec: ChildSpec;
  readonly keys: BusKeys;
  /** The address at which another process joins it, if it differs from the one it listens on. */
  addressOf?(url: string, piece: Piece): string;
  /** The file of the authority that signed its certificate, if it speaks TLS. */
  readonly authority?: string;
}

/** A bus on loopback. */
export async function setUpPlainBus(run: string): Promise<PiecesBus> {
  const keys = makeBusKeys();
  return { spec: await setUpNatsServer(run, keys), keys };
}

/** How long a call is asked again while a piece of the service is away, in milliseconds. */
const patience = 60_000;

const mainFile = fileURLToPath(new URL('../../bin/muster.mjs', import.meta.url));

/** What a piece runs in the product. */
export const ownProgram = (piece: Piece): ChildSpec['argv'] => [process.execPath, mainFile, kindOf(piece)];

function kindOf(piece: Piece): Exclude<Piece, 'otherHost' | 'otherRegistry'> {
  if (piece === 'otherHost') return 'host';
  return piece === 'otherRegistry' ? 'registry' : piece;
}

/**
 * Sets an installation up; `programOf` may put another program in a piece's place, and `settings` are its variables
 * beside those that every test needs. `setUpBus` sets up another bus than one on loopback. Nothing but the bus runs
 * yet.
 */
export async function setUpPieces(
  programOf: (piece: Piece) => ChildSpec['argv'] = ownProgram,
  settings: Readonly<Record<string, string>> = {},
  setUpBus: (run: string) => Promise<PiecesBus> = setUpPlainBus,
): Promise<Pieces> {
  const folder = temporaryFolder('pieces');
  const home = join(folder.path, 'home');
  const otherHome = join(folder.path, 'other');
  const otherRegistryHome = join(folder.path, 'other-registry');
  const homes: Partial<Record<Piece, string>> = { otherHost: otherHome, otherRegistry: otherRegistryHome };
  const repository = join(folder.path, 'repository');
  for (const one of [home, otherHome, otherRegistryHome]) mkdirSync(join(one, 'run'), { recursive: true, mode: 0o700 });
  makeRepository(repository);
  const run = join(home, 'run');
  const { spec: busSpec, keys, authority, addressOf = (url: string) => url } = await setUpBus(run);
  const keysFile = join(run, 'bus.keys');
  writePrivateFile(keysFile, JSON.stringify(keys));
  let bus = await launchChild(busSpec);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = new Map<Piece, RunningChild>();
  const environmentOf = async (piece: Piece) => {
    const kind = kindOf(piece);
    const hostId = kind === 'host' ? ownHostId(homes[piece] ?? home) : undefined;
    const credentials = await writeCredential(join(run, `bus-${piece}.creds`), keys, { kind, hostId });
    return {
      ...process.env,
      MUSTER_ISOLATION: 'none',
      MUSTER_LOG: process.env['MUSTER_TEST_LOG'] ?? 'fatal',
      ...settings,
      MUSTER_HOME: homes[piece] ?? home,
      MUSTER_PORT: String(port),
      MUSTER_BUS_URL: addressOf(bus.url ?? '', piece),
      ...(authority === undefined ? {} : { MUSTER_BUS_CA: authority }),
      MUSTER_BUS_KEYS: keysFile,
      MUSTER_BUS_CREDENTIALS: credentials,
    };
  };
  const pieces: Pieces = {
    home,
    otherHome,
    repository,
    url,
    async start(piece) {
      if (piece === 'otherRegistry') copySecret(home, otherRegistryHome, 'operator.token');
      const child = await launchUnlessKilled({
        name: kindOf(piece),
        argv: programOf(piece),
        env: await environmentOf(piece),
        readiness: 'message',
        readyWithin: 60_000,
        pidFile: join(run, `${piece}.pid`),
      });
      if (child) running.set(piece, child);
    },
    async kill(piece) {
      const child = running.get(piece);
      if (!child) return;
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    signal(piece, signal) {
      const child = running.get(piece);
      if (child) process.kill(child.pid, signal);
    },
    async halt(piece) {
      await running.get(piece)?.stop(9_000);
    },
    async ended(piece) {
      await running.get(piece)?.exited;
    },
    async replaceBus() {
      process.kill(bus.pid, 'SIGKILL');
      await bus.exited;
      bus = await launchChild(busSpec);
    },
    async call<T>(method: string, request: object): Promise<T> {
      const token = readFileSync(join(home, 'operator.token'), 'utf8').trim();
      return moment(method, () => ask<T & object>(`${url}/${method}`, token, request), patience);
    },
    async stop() {
      for (const piece of ['gateway', 'host', 'otherHost', 'otherRegistry', 'registry'] as const)
        await running.get(piece)?.stop(5_000);
      await bus.stop(2_000);
      for (const one of [home, otherHome]) await endTerminals(join(one, 'run'));
      folder.remove();
    },
  };
  return pieces;
}

/** Gives another registry a secret of its installation, as a person does. */
function copySecret(from: string, to: string, file: string): void {
  writePrivateFile(join(to, file), readFileSync(join(from, file), 'utf8'));
}

async function launchUnlessKilled(spec: ChildSpec): Promise<RunningChild | undefined> {
  try {
    return await launchChild(spec);
  } catch (error) {
    if (error instanceof Error && error.message.includes('SIGKILL')) return undefined;
    throw error;
  }
}

/** The answer, or undefined if the service cannot be reached right now. Throws what it refuses. */
async function ask<T>(url: string, token: string, request: object): Promise<T | undefined> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(request) }).catch(() => undefined);
  if (!reply || [500, 502, 503, 504].includes(reply.status)) return undefined;
  const body = (await reply.json()) as T & { message?: string };
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${body.message}`);
  return body;
}

/** Every tmux server that was started under the folder. */
export async function endTerminals(runDir: string): Promise<void> {
  const terminals = createTmuxTerminals({ runDir, environment: {} });
  for (const family of await terminals.running()) await terminals.end(family);
  await terminals.detach();
}

function makeRepository(path: string): void {
  mkdirSync(path, { recursive: true });
  gitIn(path, 'init', '--quiet', '--initial-branch=main');
  gitIn(path, 'commit', '--quiet', '--allow-empty', '-m', 'begin');
}
