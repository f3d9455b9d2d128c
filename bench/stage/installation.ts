import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathOf } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { readConfig } from '#service/config.ts';
import { type Installation, startInstallation } from '#service/start.ts';
import { endTerminals } from '#test/support/pieces.ts';
import { openLog } from '#world/log.ts';
import { Connection } from './connection.ts';
import { processesOf } from './cpu.ts';

/**
 * The host process: muster's own; one that performs no effects; the same with its memory measured; one that simulates
 * transitions; or one that does nothing.
 */
export type HostKind = 'own' | 'inert' | 'measured' | 'busy' | 'idle';

/** A running installation: nats-server, registry, host and gateway, each its own process. */
export interface BenchInstallation {
  readonly url: string;
  readonly token: string;
  /** Calls an operation by its method's name. Concurrent calls use separate connections, which are reused. */
  call<T>(method: string, request?: object): Promise<T>;
  /** Stops everything and ends the agents' terminals. The state folder stays. */
  stop(): Promise<void>;
}

/** The environment of an installation: without the person's own settings of muster, and with a high limit of agents. */
export function benchEnvironment(home: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(MUSTER_|SERVICE_|TMUX)/.test(name));
  return {
    ...Object.fromEntries(own),
    MUSTER_HOME: home,
    MUSTER_PORT: '0',
    MUSTER_ISOLATION: 'none',
    MUSTER_LOG: 'warn',
    MUSTER_AGENT_CEILING: '100000',
  };
}

/** Starts an installation on a state folder like `muster start`, with `more` in its environment. */
export async function install(home: string, host: HostKind, more: NodeJS.ProcessEnv = {}): Promise<BenchInstallation> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const environment = { ...benchEnvironment(home), ...more };
  const installation = await startInstallation({
    config: readConfig(environment),
    environment,
    log: openLog({ name: 'start', level: 'warn' }),
    programOf: (member) => [process.execPath, ...programOf(member, host)],
  });
  const token = tokenOf(home);
  const idle: Connection[] = [];
  return {
    url: installation.url,
    token,
    async call(method, request = {}) {
      const connection = idle.pop() ?? new Connection(installation.url);
      const answer = await connection.post(pathOfMethod(method), token, JSON.stringify(request));
      idle.push(connection);
      return JSON.parse(answer);
    },
    stop: () => stop(installation, idle, home),
  };
}

/** The operator's token of a state folder. */
export function tokenOf(home: string): string {
  return readFileSync(join(home, 'operator.token'), 'utf8').trim();
}

/** The HTTP path of a method. */
export function pathOfMethod(method: string): string {
  const row = operations.find((operation) => operation.method === method);
  if (row === undefined) throw new Error(`There is no operation ${method}`);
  return `/${pathOf(row)}`;
}

function programOf(member: string, host: HostKind): readonly string[] {
  if (member === 'host' && host !== 'own') {
    return ['--expose-gc', fileURLToPath(new URL(`./${host}-host.ts`, import.meta.url))];
  }
  return [fileURLToPath(new URL('../../bin/muster.mjs', import.meta.url)), member];
}

async function stop(installation: Installation, connections: readonly Connection[], home: string): Promise<void> {
  for (const connection of connections) connection.close();
  await installation.stop();
  // Ending hundreds of servers properly takes minutes, because each checks every process. Nothing here outlives them.
  for (const pid of processesOf(/tmux .*start-server/, home)) process.kill(pid, 'SIGKILL');
  await endTerminals(join(home, 'run'));
}
