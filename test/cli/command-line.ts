import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CliIo } from '#cli/client/io.ts';
import { runCli } from '#cli/main.ts';
import { openLocal } from '#service/local.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';

/** The result of a command. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How a command is run. */
export interface Setting {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** What is read as it comes, instead of `stdin`. */
  readonly chunks?: AsyncIterable<string>;
  /** Whether its streams are terminals, 100 columns wide. */
  readonly tty?: boolean;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Is reported all that was written so far to standard output, at each write. */
  readonly onOut?: (out: string) => void;
  /** As `onOut`, for standard error. */
  readonly onErr?: (err: string) => void;
  /** The size of its terminals, which a test may change; whoever listens is then to be reported. */
  readonly size?: TestSize;
}

/** A terminal's size, and who is to be reported when it changes. */
export interface TestSize {
  columns: number;
  rows: number;
  readonly listeners: Set<() => void>;
}

/** The environment of a person, whose token is in the folder, against a service. */
export function personEnv(folder: string, url: string): Readonly<Record<string, string>> {
  writeFileSync(join(folder, 'operator.token'), 'operator\n', { mode: 0o600 });
  return { MUSTER_HOME: folder, MUSTER_URL: url, NO_COLOR: '1' };
}

/** The moment at which commands of a test run. */
export const testNow = Date.UTC(2026, 10, 21, 9);

/** The entry of the program. */
export const program = fileURLToPath(new URL('../../bin/muster.mjs', import.meta.url));

/** Runs a command inside this process. */
export async function runInside(argv: readonly string[], setting: Setting = {}): Promise<Outcome> {
  let out = '';
  let err = '';
  const io: CliIo = {
    env: setting.env ?? {},
    cwd: setting.cwd ?? '/',
    stdin: Object.assign(setting.chunks ?? once(setting.stdin ?? ''), { isTTY: setting.tty ?? false }),
    stdout: sinkOf(setting, (text) => {
      out += text;
      setting.onOut?.(out);
    }),
    stderr: sinkOf(setting, (text) => {
      err += text;
      setting.onErr?.(err);
    }),
    now: () => testNow,
    ...(setting.signal && { signal: setting.signal }),
  };
  const code = await runCli(argv, openLocal, io);
  return { code, out, err };
}

async function* once(text: string): AsyncGenerator<string, void> {
  yield text;
}

type Sink = CliIo['stdout'];

function sinkOf(
  { tty = false, size = { columns: 100, rows: 12, listeners: new Set() } }: Setting,
  write: Sink['write'],
): Sink {
  return {
    write,
    isTTY: tty,
    get columns() {
      return tty ? size.columns : undefined;
    },
    get rows() {
      return tty ? size.rows : undefined;
    },
    onResize: (listener) => {
      size.listeners.add(listener);
      return () => void size.listeners.delete(listener);
    },
  };
}

/** Runs the real program as its own process, to its end. */
export async function runProgram(
  argv: readonly string[],
  { env = {}, stdin = '', cwd }: Setting = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [program, ...argv], {
    env: { ...bareEnvironment(), HOME: '/nowhere', ...env },
    cwd,
  });
  child.stdin.end(stdin);
  const ended = new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1)));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}
