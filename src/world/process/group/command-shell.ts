import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { printing, shellWord } from '#world/shell-text.ts';
import { MarkedOutput } from './marked-output.ts';
import { pipesOf } from './pipes.ts';

/**
 * What the shell runs first. The watcher reads from a pipe whose other end belongs to this process, and ends the whole
 * group when that closes, as in `process-group.ts`.
 */
const opening = `trap : HUP INT TERM
( trap '' HUP INT TERM; read -r _ <&3 || kill -KILL 0 ) </dev/null >/dev/null 2>&1 &
watch=$!
trap 'kill -KILL $watch; wait $watch' EXIT
exec 5>&2 2>/dev/null
`;

/** A command for a shell. */
export interface ShellCommand {
  /** The absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; its names are such that a shell can set them. */
  readonly env: Readonly<Record<string, string>>;
  /** Standard input; by default empty. */
  readonly input: string | Uint8Array;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

/** How a command ended: its exit code, or 128 plus a signal's number; null with the signal that ended the shell. */
export type ShellEnd = readonly [code: number | null, signal: string | null];

/** The command that a shell runs, and where its output goes. */
interface Running {
  readonly outputs: readonly [out: MarkedOutput, err: MarkedOutput];
  readonly resolve: (end: ShellEnd) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A shell in a process group of its own, which runs one command after the other. It starts a program in a fraction of the
 * time that this process takes, whose page tables the system copies at each start. It ends with this process, with the
 * command that it runs, even by kill -9.
 */
export class CommandShell {
  readonly #child: ChildProcess;
  #running: Running | undefined;
  #hasBegun = false;
  #isOver = false;

  constructor() {
    this.#child = spawn('/bin/sh', ['-s'], {
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    this.#child.once('error', (error) => this.#finish(({ reject }) => reject(error)));
    const { stdin, stdout, stderr } = this.#child;
    this.#child.once('exit', () => {
      this.#isOver = true;
      if (this.#hasBegun || stderr?.closed) this.#finishByExit();
    });
    // It may have begun shortly before its end, and what says so may arrive after it.
    stderr?.once('close', () => hasExited(this.#child) && this.#finishByExit());
    stdout?.on('data', (chunk: Buffer) => this.#hear(0, chunk));
    stderr?.on('data', (chunk: Buffer) => this.#hear(1, chunk));
    // The end of the shell says enough.
    for (const pipe of this.#pipes) pipe.on('error', () => {});
    stdin?.write(opening);
    this.#rest();
  }

  /** The id of the shell and of its group; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it can run another command. */
  get isFree(): boolean {
    return !this.#isOver && this.#running === undefined;
  }

  /** Whether the shell has begun with the last command. Else nothing of it was done. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Runs a command, when the one before has ended. Rejects if the shell could not be started, or not enter the folder.
   * @param mark bytes that its output does not contain, as text
   */
  async run(command: ShellCommand, mark: string): Promise<ShellEnd> {
    const { promise, resolve, reject } = Promise.withResolvers<ShellEnd>();
    const outputs = [new MarkedOutput(mark, command.onStdout), new MarkedOutput(mark, command.onStderr)] as const;
    this.#running = { outputs, resolve, reject };
    this.#hasBegun = false;
    this.#work();
    this.#child.stdin?.write(scriptOf(command, mark));
    return promise;
  }

  /** Ends it, when it runs nothing. */
  end(): void {
    this.#isOver = true;
    this.#child.stdin?.end();
  }

  #hear(stream: 0 | 1, chunk: Buffer): void {
    const running = this.#running;
    if (running === undefined) return;
    running.outputs[stream].push(chunk);
    const [out, err] = running.outputs;
    this.#hasBegun ||= err.hasBegun;
    const [status, ...rest] = err.after?.split('\n') ?? [];
    if (out.after === undefined || status === undefined || rest.length === 0) {
      if (this.#hasBegun && hasExited(this.#child)) this.#finishByExit();
      return;
    }
    this.#running = undefined;
    this.#rest();
    // What a process that was left behind prints may mix with the next command's output.
    const isAlone = out.after === '' && rest.join('\n') === '' && Number(status) <= 128;
    if (!isAlone) this.end();
    if (status === 'cwd') running.reject(new Error('the folder cannot be entered'));
    else running.resolve([Number(status), null]);
  }

  #finishByExit(): void {
    const { exitCode, signalCode } = this.#child;
    this.#finish(({ resolve }) => resolve([exitCode, signalCode]));
  }

  #finish(settle: (running: Running) => void): void {
    this.#isOver = true;
    const running = this.#running;
    this.#running = undefined;
    for (const pipe of this.#pipes) pipe.destroy();
    if (running !== undefined) settle(running);
  }

  /** Lets this process end while it runs nothing. */
  #rest(): void {
    this.#child.unref();
    for (const pipe of this.#pipes) pipe.unref();
  }

  #work(): void {
    this.#child.ref();
    for (const pipe of this.#pipes) pipe.ref();
  }

  get #pipes(): readonly Socket[] {
    return pipesOf(this.#child).filter((pipe) => pipe instanceof Socket);
  }
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * The command as a script, which prints the mark to both streams before and after it, and then the exit code, or `cwd` if
 * the folder cannot be entered. The shell itself leaves the folder, which may be removed.
 */
function scriptOf({ program, args, cwd, env, input }: ShellCommand, mark: string): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const line = ['unset OLDPWD;', ...variables, 'exec', shellWord(program), ...args.map(shellWord)].join(' ');
  const bytes = Buffer.from(input);
  const [before, from] = bytes.length === 0 ? ['', ' </dev/null'] : [`${printing(bytes)} | `, ''];
  return `printf %s ${mark}; printf %s ${mark} >&5
if cd -P -- ${shellWord(cwd)}; then
${before}( ${line} ) ${from} 2>&5 3<&- 5>&-
s=$?; cd /; else s=cwd; fi
printf %s ${mark}; printf '%s%s\\n' ${mark} $s >&5
`;
}
