import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** How long output may still arrive after the program itself has ended: something it left behind may hold the pipe. */
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
  readonly timeoutMs: number;
  /** From the polite SIGTERM to the SIGKILL; 0 kills at once. */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

export interface GroupEnd {
  /** Undefined where a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly timedOut: boolean;
}

/**
 * Runs a program in a process group of its own and ends the whole group at the time limit or when the signal aborts.
 * Rejects only where the program could not be started. What it leaves running after a normal end lives on.
 */
export async function runGroup(command: GroupCommand): Promise<GroupEnd> {
  if (command.signal?.aborted) return { exitCode: undefined, signal: undefined, timedOut: false };
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: [command.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', command.onStdout);
  child.stderr?.on('data', command.onStderr);
  // A program that ends before it has read its input closes the pipe; its exit status says what is worth knowing.
  child.stdin?.on('error', () => {});
  child.stdin?.end(command.input);

  const ended = Promise.withResolvers<Omit<GroupEnd, 'timedOut'>>();
  child.once('error', ended.reject);
  child.once('exit', (code, signal) => ended.resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }));
  const killer = groupKiller(() => child.pid, command.graceMs ?? 0);
  let timedOut = false;
  const deadline = setTimeout(() => {
    timedOut = true;
    killer.kill();
  }, command.timeoutMs);
  command.signal?.addEventListener('abort', killer.kill, { once: true });
  try {
    const end = await ended.promise;
    killer.finish();
    await drained([child.stdout, child.stderr]);
    return { ...end, timedOut };
  } finally {
    clearTimeout(deadline);
    command.signal?.removeEventListener('abort', killer.kill);
  }
}

/** Ends a group politely and then for good; `finish` ends what the leader of a group under way to its end left. */
function groupKiller(pid: () => number | undefined, graceMs: number): { kill: () => void; finish: () => void } {
  let last: NodeJS.Timeout | undefined;
  const send = (signal: NodeJS.Signals): void => {
    const id = pid();
    if (id === undefined) return;
    try {
      process.kill(-id, signal);
    } catch {
      // Nobody is left in the group.
    }
  };
  return {
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

/** Resolves when the streams have ended, or cuts them off where a process left behind keeps them open. */
async function drained(streams: readonly (Readable | null)[]): Promise<void> {
  const open = streams.filter((stream): stream is Readable => stream !== null && !stream.closed);
  const closed = Promise.all(open.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
  const cut = setTimeout(() => open.forEach((stream) => void stream.destroy()), drainMs);
  await closed;
  clearTimeout(cut);
}
