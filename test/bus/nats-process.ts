import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChild, type RunningChild } from '#world/process/child-process.ts';

/** The ports of a nats-server for clients and for other servers. */
interface Ports {
  readonly nats: readonly string[];
  readonly cluster?: readonly string[];
}

/** A real nats-server that runs with a file of settings of a test. */
export interface NatsProcess extends RunningChild {
  /** The port for clients, and the one for other servers of its cluster. */
  readonly port: number;
  readonly clusterPort: number;
  readonly logFile: string;
}

/** Starts a nats-server in a folder, with these settings and these variables. `port: -1` in them takes any free one. */
export async function natsProcess(
  folder: string,
  settings: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<NatsProcess> {
  const portsFolder = join(folder, 'ports');
  const logFile = join(folder, 'server.log');
  const file = join(folder, 'server.conf');
  mkdirSync(portsFolder, { recursive: true });
  writeFileSync(
    file,
    `ports_file_dir: ${JSON.stringify(portsFolder)}\nlog_file: ${JSON.stringify(logFile)}\n${settings}`,
  );
  const child = await launchChild({
    name: 'nats-server',
    argv: ['nats-server', '-c', file],
    env: { PATH: `${process.env['PATH']}:/usr/local/bin:/usr/sbin`, ...variables },
    readiness: (pid) => portsOf(portsFolder, pid)?.nats[0],
    readyWithin: 10_000,
    pidFile: join(folder, 'server.pid'),
  });
  const ports = portsOf(portsFolder, child.pid);
  return { ...child, port: portOf(ports?.nats[0]), clusterPort: portOf(ports?.cluster?.[0]), logFile };
}

const portOf = (address = 'nats://x:0') => Number(new URL(address).port);

function portsOf(folder: string, pid: number): Ports | undefined {
  try {
    const file = readdirSync(folder).find((name) => name.endsWith(`_${pid}.ports`));
    return file === undefined ? undefined : (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Ports);
  } catch {
    return undefined; // Half-written: the next look reads it whole.
  }
}
