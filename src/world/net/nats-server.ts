import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import type { ChildSpec } from '#world/process/child-process.ts';
import { endSurvivor } from '#world/process/pid-file.ts';
import { findProgram } from '#world/requirements.mjs';
import { natsConfig, type TrustedKeys } from './nats-config.ts';
import { findPort, isListenedOn } from './tcp-port.ts';

/**
 * A shell command that makes the server's files (ports, log) readable only by their owner, and then becomes the server.
 */
const privately = 'umask 077; exec "$@"';

/** How long a server that outlived an earlier start may take to end, in milliseconds. */
const survivorGraceMs = 5_000;

/** The folder and the trust anchors of a nats-server. */
export interface NatsServerSetup {
  /** Mode 0700, created if missing. */
  readonly folder: string;
  readonly logFile: string;
  readonly trust: TrustedKeys;
  /** Where it listens beyond loopback, and with which certificate; undefined for any free port on loopback. */
  readonly network?: NatsNetwork | undefined;
}

/** An address, a port, and files in PEM with a certificate and its key. */
export interface NatsNetwork {
  readonly bind: string;
  readonly port: number;
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * Writes the configuration of a nats-server into a folder, and returns how to launch it. On loopback it takes the port
 * of its last start in that folder, so that clients find it again, also those of other state folders that joined; any
 * free one if there is none, or another program has taken it.
 */
export async function prepareNatsServer({ folder, logFile, trust, network }: NatsServerSetup): Promise<ChildSpec> {
  const portsFolder = join(folder, 'nats-ports');
  const claimsFolder = join(folder, 'nats-claims');
  const configFile = join(folder, 'nats-server.conf');
  rmSync(portsFolder, { recursive: true, force: true });
  for (const made of [portsFolder, claimsFolder]) mkdirSync(made, { recursive: true, mode: 0o700 });
  // The server itself would make it readable for its group.
  closeSync(openSync(logFile, 'a', 0o600));
  const writeConfig = (port: number): void => {
    const settings = { port, tls: network, ...(network && { host: network.bind }) };
    writePrivateFile(configFile, natsConfig({ ...settings, trust, portsFolder, claimsFolder, logFile }));
  };
  const pidFile = join(folder, 'nats-server.pid');
  const portFile = join(folder, 'nats-port');
  await endSurvivor(pidFile, survivorGraceMs);
  writeConfig(network?.port ?? (await lastPort(portFile)) ?? -1);
  let kept: string | undefined;
  const readiness = async (pid: number): Promise<string | undefined> => {
    // The port is known by now, and on a full disk the server could not write it again.
    if (kept !== undefined) return (await isListenedOn(kept)) ? kept : undefined;
    const url = takenAddress(portsFolder, pid);
    if (url === undefined) return undefined;
    const { port } = new URL(url);
    writeConfig(Number(port));
    writePrivateFile(portFile, `${port}\n`);
    kept = url;
    return url;
  };
  return {
    name: 'nats-server',
    argv: ['/bin/sh', '-c', privately, 'nats-server', ...endsWithParent(), serverProgram(), '-c', configFile],
    env: {},
    readiness,
    readyWithin: 10_000,
    pidFile,
  };
}

/** The port of the last start, if it is free; undefined otherwise. */
async function lastPort(file: string): Promise<number | undefined> {
  const port = Number(readPrivateFile(file) ?? '');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const found = await findPort(['127.0.0.1'], port);
  return 'port' in found ? port : undefined;
}

function serverProgram(): string {
  const found = findProgram('nats-server');
  if (found !== undefined) return found;
  throw new Failure(
    'PROGRAM_NOT_STARTED',
    'nats-server cannot be started: it is not installed, or others could have put it there. `muster setup` installs it',
  );
}

const pdeathsig = ['--pdeathsig', 'TERM'] as const;
/** The first of the programs called `setpriv` that supports this. Each is tried once. */
const able = new Map<string, boolean>();

/**
 * With util-linux, the kernel ends the server when its parent dies. Elsewhere, the next start finds it by its pid file.
 */
function endsWithParent(): [string, ...string[]] | [] {
  const setpriv = findProgram('setpriv');
  if (setpriv === undefined) return [];
  let isAble = able.get(setpriv);
  if (isAble === undefined) {
    isAble = spawnSync(setpriv, [...pdeathsig, 'true']).status === 0;
    able.set(setpriv, isAble);
  }
  return isAble ? [setpriv, ...pdeathsig] : [];
}

/** The address on which a server reports that it listens, once it accepts connections. */
function takenAddress(portsFolder: string, pid: number): string | undefined {
  try {
    const file = readdirSync(portsFolder).find((name) => name.endsWith(`_${pid}.ports`));
    if (file === undefined) return undefined;
    const ports = JSON.parse(readFileSync(join(portsFolder, file), 'utf8')) as { nats?: string[] };
    return ports.nats?.[0];
  } catch {
    return undefined; // Half-written: the next look reads it whole.
  }
}
