import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { moment } from '#test/support/moment.ts';
import { endTerminals } from '#test/support/pieces.ts';
import { program } from './command-line.ts';

/** Where a service is that runs: its state folder and its address. */
export interface RunningService {
  readonly home: string;
  readonly url: string;
}

/** The whole service as processes of their own. */
export interface WholeService {
  readonly url: string;
  /** The process that started the others. */
  readonly pid: number;
  /** What it has reported so far. */
  told(): string;
  /** Its exit status, once it has ended. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
  /** Stops it, and ends its agents with it: they outlive a service. */
  end(): Promise<void>;
}

/**
 * Starts the service on a state folder, on a free port unless one is named. It logs warnings, unless another level is
 * named. Its first workflow is for the folder `cwd`, by default that of the tests.
 */
export async function startService(home: string, port = '0', level = 'warn', cwd?: string): Promise<WholeService> {
  const settings = { MUSTER_HOME: home, MUSTER_PORT: port, MUSTER_LOG: level };
  return runService(['start'], settings, /ready at (\S+)/, undefined, cwd);
}

/** Runs muster with these arguments until it prints that it is ready, where the address is in parentheses; `wrap` makes its command line. */
export async function runService(
  argv: readonly string[],
  settings: Readonly<Record<string, string>>,
  ready: RegExp,
  wrap: (argv: readonly string[]) => readonly [string, ...string[]] = ([first = '', ...rest]) => [first, ...rest],
  cwd?: string,
): Promise<WholeService> {
  let told = '';
  const env = { ...process.env, ...settings };
  const [command, ...words] = wrap([process.execPath, program, ...argv]);
  const service = spawn(command, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
  }
  const ended = once(service, 'exit').then(([status]: unknown[]) => status);
  const stop = async (): Promise<void> => {
    if (service.exitCode !== null) return;
    service.kill('SIGTERM');
    await ended;
  };
  const url = await moment('the service to start', () => {
    if (service.exitCode !== null) throw new Error(`the service did not start: ${told}`);
    return ready.exec(told)?.[1];
  }).catch(async (failure: unknown) => {
    // It would write into the folder that its test removes.
    await stop();
    throw failure;
  });
  return {
    url,
    pid: service.pid ?? 0,
    told: () => told,
    ended,
    stop,
    async end() {
      await stop();
      await endTerminals(join(settings['MUSTER_HOME'] ?? '', 'run'));
    },
  };
}
