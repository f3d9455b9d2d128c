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
 * What runs in the host's place: muster's own, one whose effects are never performed, the same with its memory
 * measured, one whose agents move on their own, or one that does nothing at all.
 */
export type HostKind = 'own' | 'inert' | 'measured' | 'moving' | 'idle';

/** An installation that runs for a bench: a nats-server, a registry, a host and a gateway, each its own process. */
export interface BenchInstallation {
  readonly url: string;
  readonly token: string;
  /** Calls an operation by its method's name, over a connection that nobody else uses meanwhile and that is kept. */
  call<T>(method: string, request?: object): Promise<T>;
  /** Stops everything and ends the agents' terminals. The state folder stays. */
  stop(): Promise<void>;
}

/** What members of a bench's installation inherit: nothing of a person's own muster, and room for many agents. */
export function benchEnvironment(home: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(MUSTER_|SERVICE_|TMUX)/.test(name));
  return {
    ...Object.fromEntries(own),
    MUSTER_HOME: home,
    MUSTER_PORT: '0',
    MUSTER_LOG: 'warn',
    MUSTER_AGENT_CEILING: '100000',
  };
}

/** Starts an installation on a state folder, as `muster start` does; `more` is added to its environment. */
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
  const row = operations.find((one) => one.method === method);
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
  // Ending hundreds of servers with a look at every process each takes minutes; nothing in these outlives its terminal.
  for (const pid of processesOf(/tmux .*start-server/, home)) process.kill(pid, 'SIGKILL');
  await endTerminals(join(home, 'run'));
}
