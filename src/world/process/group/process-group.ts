import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { cancelSignal } from '#world/concurrency/cancellation.ts';
import { signalName } from '#world/process/signal-name.ts';
import { recentProgram } from '#world/program/recent-program.ts';
import type { ShellEnd } from './command-shell.ts';
import { returnShell, takeShell } from './command-shells.ts';
import { pipesOf } from './pipes.ts';

/**
 * The script that leads the group. A watcher in it reads from a pipe whose other end belongs to this process: however
 * this process dies, the kernel closes the pipe, and the watcher ends its own group. No process id needs to be guessed.
 */
const lead = `trap : HUP INT TERM
( trap '' HUP INT TERM; read -r _ <&3 || kill -KILL 0 ) </dev/null >/dev/null 2>&1 &
watch=$!
exec 5>&2 2>/dev/null
( exec "$@" 2>&5 3<&- 5>&- )
status=$?
kill -KILL $watch
wait $watch
exit $status`;

/** The descriptor from which a program reads secrets, which must not be visible in its arguments. */
export const secretFd = 4;

/**
 * How long output may still arrive after the program itself has ended, because a process that it left behind may hold
 * the pipe.
 */
const drainMs = 500;

export interface GroupCommand {
  /** The program, looked up on the given environment's PATH. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input; without it standard input is empty. */
  readonly input?: string | Uint8Array;
  /** An open file that is standard input instead, from its current position. */
  readonly inputFile?: number;
  /** The secret that the program reads from the descriptor `secretFd`, which is closed without one. */
  readonly secret?: string;
  /**
   * Whether it leaves no process behind. Then a shell that waits for commands may start it, which takes a fraction of the
   * time.
   */
  readonly leavesNothing?: boolean;
  readonly timeoutMs: number;
  /** Milliseconds from SIGTERM to SIGKILL; 0 kills at once. */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

export interface GroupEnd {
  /** Undefined if a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly timedOut: boolean;
}

/**
 * Runs a program in a process group of its own. The whole group is ended at the time limit, when its signal or the one
 * that cancels the current work aborts, and with this process, even by kill -9. Rejects only if the program could not
 * be started. What it leaves running after a normal end keeps running.
 */
export async function runGroup(command: GroupCommand): Promise<GroupEnd> {
  const signals = [command.signal, cancelSignal()].filter((signal) => signal !== undefined);
  if (signals.some(({ aborted }) => aborted)) return { exitCode: undefined, signal: undefined, timedOut: false };
  const program = command.file.includes('/') ? command.file : recentProgram(command.file, command.env['PATH'] ?? '');
  if (program === undefined) throw new Error(`${command.file} is not on the PATH`);
  let leader = isForShell(command) ? leadByShell(program, command) : leadAlone(program, command);
  const killer = groupKiller(() => leader.pid(), command.graceMs ?? 0);
  let timedOut = false;
  const deadline = setTimeout(() => {
    timedOut = true;
    killer.kill();
  }, command.timeoutMs);
  for (const signal of signals) signal.addEventListener('abort', killer.kill, { once: true });
  try {
    let end = await leader.ended;
    if (!leader.hasBegun() && !killer.isUsed) {
      // Its shell was dead already.
      leader = leadAlone(program, command);
      end = await leader.ended;
    }
    const [, endedLead] = end;
    if (endedLead !== null) killer.kill();
    killer.finish();
    await leader.drained();
    return { ...endOf(end), timedOut };
  } finally {
    leader.leave(killer.isUsed);
    clearTimeout(deadline);
    for (const signal of signals) signal.removeEventListener('abort', killer.kill);
  }
}

/** What leads a group and runs its program. */
interface Leader {
  readonly pid: () => number | undefined;
  readonly ended: Promise<ShellEnd>;
  /** Whether it has begun, so that the program may have run. */
  readonly hasBegun: () => boolean;
  /** Resolves when the output has arrived. */
  readonly drained: () => Promise<void>;
  /** Lets go of it, whether the group was ended or not. */
  readonly leave: (isKilled: boolean) => void;
}

/** How long arguments, variables and input for a waiting shell may be, in bytes: bash reads its script byte by byte. */
const maxScript = 16 * 1024;
/** Variables that bash sets and protects. */
const ofBash = ['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID'];

function isForShell({ leavesNothing = false, args, cwd, env, input = '', inputFile, secret }: GroupCommand): boolean {
  if (!leavesNothing || inputFile !== undefined || secret !== undefined || !isAbsolute(cwd)) return false;
  if (!Object.keys(env).every((name) => /^[A-Z_][A-Z0-9_]*$/.test(name) && !ofBash.includes(name))) return false;
  const texts = [cwd, ...args, ...Object.values(env)];
  const length = [...texts, input].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return length <= maxScript && texts.every((text) => !text.includes('\0'));
}

function leadByShell(program: string, { args, cwd, env, input = '', onStdout, onStderr }: GroupCommand): Leader {
  const shell = takeShell();
  return {
    pid: () => shell.pid,
    ended: shell.run({ program, args, cwd, env, input, ...inThisContext({ onStdout, onStderr }) }, randomUUID()),
    hasBegun: () => shell.hasBegun,
    drained: () => Promise.resolve(),
    leave: (isKilled) => (isKilled ? undefined : returnShell(shell)),
  };
}

/** What a command prints arrives in the context of the shell's first one. */
function inThisContext({
  onStdout,
  onStderr,
}: Pick<GroupCommand, 'onStdout' | 'onStderr'>): Pick<GroupCommand, 'onStdout' | 'onStderr'> {
  return { onStdout: AsyncLocalStorage.bind(onStdout), onStderr: AsyncLocalStorage.bind(onStderr) };
}

function leadAlone(program: string, command: GroupCommand): Leader {
  const { args, cwd, env, input, inputFile, secret, onStdout, onStderr } = command;
  const child = spawn('/bin/sh', ['-c', lead, 'lead', program, ...args], {
    cwd,
    env,
    detached: true,
    stdio: [
      inputFile ?? (input === undefined ? 'ignore' : 'pipe'),
      'pipe',
      'pipe',
      'pipe',
      ...(secret === undefined ? [] : ['pipe' as const]),
    ],
  });
  const ended = Promise.withResolvers<ShellEnd>();
  child.once('error', ended.reject);
  child.once('exit', (...how) => ended.resolve(how));
  child.stdout?.on('data', onStdout);
  child.stderr?.on('data', onStderr);
  // A program that ends before it has read its input closes the pipe. Its exit status is enough.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const pipes = pipesOf(child);
  const [watched, secretPipe] = [pipes[3], pipes[secretFd]];
  watched?.on('error', () => {});
  secretPipe?.on('error', () => {});
  if (secretPipe instanceof Writable) secretPipe.end(secret);
  return {
    pid: () => child.pid,
    ended: ended.promise,
    hasBegun: () => true,
    drained: () => drained([child.stdout, child.stderr]),
    leave: () => {
      watched?.destroy();
      secretPipe?.destroy();
    },
  };
}

/** The end of a group's program, as the leader reports it: 128 plus the signal's number if a signal ended it. */
function endOf([code, signal]: ShellEnd): Omit<GroupEnd, 'timedOut'> {
  // 129 is git's own status for a command line that it does not understand, rather than a hang-up.
  const reported = (code ?? 0) > 129 ? signalName((code ?? 0) - 128) : undefined;
  const by = signal ?? reported;
  return by === undefined ? { exitCode: code ?? undefined, signal: undefined } : { exitCode: undefined, signal: by };
}

interface GroupKiller {
  /** Whether it has begun to end the group. */
  readonly isUsed: boolean;
  readonly kill: () => void;
  readonly finish: () => void;
}

/** Ends a group by SIGTERM, then SIGKILL; `finish` kills what is left if the leader ends in between. */
function groupKiller(pid: () => number | undefined, graceMs: number): GroupKiller {
  let last: NodeJS.Timeout | undefined;
  const send = (signal: NodeJS.Signals): void => {
    const id = pid();
    if (id === undefined) return;
    try {
      process.kill(-id, signal);
    } catch {
      // The group is empty.
    }
  };
  return {
    get isUsed() {
      return last !== undefined;
    },
    kill: () => {
      send(graceMs > 0 ? 'SIGTERM' : 'SIGKILL');
      last ??= setTimeout(() => send('SIGKILL'), graceMs);
    },
    finish: () => {
      if (last === undefined) return;
      clearTimeout(last);
      send('SIGKILL');
    },
  };
}

/** Resolves when the streams have ended, or cuts them off if a process left behind keeps them open. */
async function drained(streams: readonly (Readable | null)[]): Promise<void> {
  const open = streams.filter((stream): stream is Readable => stream !== null && !stream.closed);
  const closed = Promise.all(open.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
  const cut = setTimeout(() => open.forEach((stream) => void stream.destroy()), drainMs);
  await closed;
  clearTimeout(cut);
}
