import { spawn } from 'node:child_process';
import { moment } from '#test/support/moment.ts';
import { program } from './command-line.ts';

/** The whole service as processes of their own. */
export interface WholeService {
  readonly url: string;
  /** What it has reported so far. */
  told(): string;
  stop(): Promise<void>;
}

/**
 * Starts the service on a state folder, on a free port unless one is named. It logs warnings, unless another level is
 * named.
 */
export async function startService(home: string, port = '0', level = 'warn'): Promise<WholeService> {
  let told = '';
  const env = { ...process.env, MUSTER_HOME: home, MUSTER_PORT: port, MUSTER_LOG: level };
  const service = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
  }
  const url = await moment(
    'the service to start',
    () => {
      if (service.exitCode !== null) throw new Error(`the service did not start: ${told}`);
      return /ready at (\S+)/.exec(told)?.[1];
    },
    30_000,
  );
  return {
    url,
    told: () => told,
    async stop() {
      if (service.exitCode !== null) return;
      const ended = new Promise((resolve) => service.once('exit', resolve));
      service.kill('SIGTERM');
      await ended;
    },
  };
}
