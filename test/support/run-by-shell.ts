import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '#world/shell-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Where and with what a program runs. The names of variables are those of a shell. */
export interface ShellRun {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A shell that runs what it is sent, and the pipes to and from it. */
interface TestShell {
  readonly orders: number;
  readonly ends: number;
  readonly out: string;
  readonly err: string;
}

let shell: TestShell | undefined;

/**
 * Runs a program and returns its standard output, as `execFileSync` does. A shell that lives as long as this process starts
 * it: a start by this process, with all its memory, takes as long as three commands of git.
 * @throws Error if the program does not end with 0, with its `status` and what it printed.
 */
export function runByShell(program: string, args: readonly string[], { cwd, env }: ShellRun): Buffer {
  shell ??= startShell();
  const { orders, ends, out, err } = shell;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const line = [...variables, 'exec', ...[program, ...args].map(shellWord)].join(' ');
  const files = `</dev/null >${shellWord(out)} 2>${shellWord(err)} 4>&-`;
  writeSync(orders, `( cd -P ${shellWord(cwd)} && ${line} ) ${files}; echo $? >&4\n`);
  const status = Number(readLine(ends));
  const stdout = readFileSync(out);
  if (status === 0) return stdout;
  const stderr = readFileSync(err, 'utf8');
  const failure = new Error(`Command failed: ${program} ${args.join(' ')}\n${stderr}`);
  throw Object.assign(failure, { status, stdout, stderr });
}

function startShell(): TestShell {
  const folder = temporaryFolder('shell');
  const [orders = '', ends = '', out = '', err = ''] = ['orders', 'ends', 'out', 'err'].map((name) =>
    join(folder.path, name),
  );
  execFileSync('mkfifo', [orders, ends]);
  const order = openSync(orders, 'r+');
  // The shell only reads, so that the end of this process ends it. Its folder shows whose it is.
  const read = openSync(orders, 'r');
  const child = spawn('/bin/sh', ['-s'], { cwd: folder.path, stdio: [read, 'ignore', 'ignore'], env: {} });
  child.unref();
  closeSync(read);
  writeSync(order, `exec 4>${shellWord(ends)}\n`);
  // The shell alone writes to it, so its death ends what is read.
  const end = openSync(ends, 'r');
  process.once('exit', () => {
    closeSync(order);
    rmSync(folder.path, { recursive: true, force: true });
  });
  return { orders: order, ends: end, out, err };
}

function readLine(pipe: number): string {
  const byte = Buffer.alloc(1);
  let line = '';
  while (readSync(pipe, byte) === 1) {
    if (byte[0] === 10) return line;
    line += byte.toString('latin1');
  }
  throw new Error('the shell of the tests has ended');
}
