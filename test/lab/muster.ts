import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { openStream, type StreamCall } from '#test/gateway/stream-call.ts';
import { moment } from '#test/support/moment.ts';

const program = fileURLToPath(new URL('../../bin/muster.mjs', import.meta.url));

/** What isolates the agents of the lab: `none`, or what the variable says. */
export const isolation = process.env['MUSTER_TEST_ISOLATION'] ?? 'none';

/** A muster that was started as a person starts it, in an environment that is given. */
export class Muster {
  /** The person's environment, in which commands of muster find it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #process: ChildProcessByStdio<null, Readable, Readable>;
  readonly #url: string;
  readonly #authorization: string;

  private constructor(
    process: ChildProcessByStdio<null, Readable, Readable>,
    url: string,
    token: string,
    environment: Readonly<Record<string, string>>,
  ) {
    this.#process = process;
    this.#url = url;
    this.environment = { ...environment, MUSTER_URL: url };
    this.#authorization = `Bearer ${token}`;
  }

  /** Starts everything on a free port; `home` is its state folder, `cwd` where it is started. */
  static async start(home: string, cwd: string, environment: Readonly<Record<string, string>>): Promise<Muster> {
    const env = {
      ...environment,
      MUSTER_HOME: home,
      MUSTER_PORT: '0',
      MUSTER_LOG: 'warn',
      MUSTER_ISOLATION: isolation,
    };
    const child = spawn(process.execPath, [program, 'start'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const ready = (): string | undefined => {
      if (child.exitCode !== null) throw new Error(`muster did not start: ${said}`);
      return /ready at (\S+)/.exec(said)?.[1];
    };
    const url = await moment('muster to start', ready);
    return new Muster(child, url, readFileSync(join(home, 'operator.token'), 'utf8').trim(), env);
  }

  /** Calls an operation as the person. @throws Error with what it was refused for */
  async call<T>(method: string, request: object): Promise<T> {
    const headers = { 'content-type': 'application/json', authorization: this.#authorization };
    const answer = await fetch(`${this.#url}/${method}`, { method: 'POST', headers, body: JSON.stringify(request) });
    const body = (await answer.json()) as T & { message?: string };
    if (!answer.ok) throw new Error(`${method} was refused: ${body.message}`);
    return body;
  }

  /** Opens a watch as the person. */
  watch(method: string, request: object): Promise<StreamCall> {
    const port = Number(new URL(this.#url).port);
    return openStream({ port }, `/${method}`, request, { authorization: this.#authorization });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
  }
}
