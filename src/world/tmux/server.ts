import { spawn } from 'node:child_process';
import { access, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import {
  argumentsOf,
  endProcesses,
  environmentOf,
  findProcess,
  isOwnProcess,
  listProcesses,
  type Process,
  signalProcess,
} from '#world/process/process-tree.ts';
import { paneSize } from '#world/terminal/pane-size.ts';
import { checkSocketFolder, keepSocketFolder } from './socket-folder.ts';
import { commandWords } from './words.ts';

/** The one session of a family's server. */
export const session = 'muster';

/** The settings of a server. */
export interface ServerSpec {
  readonly tmux: string;
  readonly socket: string;
  /** The whole environment of the server and so of its panes. */
  readonly environment: Readonly<Record<string, string>>;
  /** How long an answer of the server may take, in milliseconds. */
  readonly patience: number;
  /** The installation that the server is marked with; undefined for no mark. */
  readonly installation?: string | undefined;
}

/** The server's option that says which installation it belongs to. */
const installationOption = '@muster_installation';

/** The words that mark a server with its installation; empty for no mark. */
export function markOf({ installation }: Pick<ServerSpec, 'installation'>): string[] {
  return installation === undefined ? [] : ['set-option', '-g', installationOption, installation];
}

/** Whether a running server is marked with this installation. It is asked by a separate tmux process. */
export async function isMarked(spec: ServerSpec): Promise<boolean> {
  if (spec.installation === undefined) return false;
  const { output } = await runTmux(spec, ['-N', 'show-options', '-g', '-q', '-v', installationOption]);
  return output === spec.installation;
}

/**
 * `window-size manual` is never set globally: it ends the server at the next window. The status line marks a dead pane,
 * since a line inside the pane would push the first row of its last screen away. The first window keeps the session
 * open while there is no agent; its program ends at once, so it costs no process, and the status line does not mark it
 * as dead, since it is no agent's.
 */
const hub = ['printf', 'The agents of this family are in the windows beside this one.'];
const size = ['-x', `${paneSize.columns}`, '-y', `${paneSize.rows}`];
const hubOption = ['set-option', '-w', '-t', `${session}:0`];
/** Makes the session with its first window. */
const newSession: readonly (readonly string[])[] = [
  ['new-session', '-d', '-s', session, '-n', 'muster', ...size, ...hub],
  [...hubOption, 'window-status-format', ''],
  [...hubOption, 'window-status-current-format', '#I:#W#F'],
];
const startCommands = (spec: ServerSpec): readonly (readonly string[])[] => [
  ['start-server'],
  markOf(spec),
  ['set-option', '-g', 'exit-empty', 'off'],
  ['set-option', '-g', 'remain-on-exit', 'on'],
  ['set-option', '-g', 'remain-on-exit-format', ''],
  ['set-option', '-g', 'window-status-format', '#I:#W#F#{?pane_dead, (ended),}'],
  ['set-option', '-g', 'window-status-current-format', '#I:#W#F#{?pane_dead, (ended),}'],
  ['set-option', '-g', 'automatic-rename', 'off'],
  ['set-option', '-g', 'allow-rename', 'off'],
  ['set-option', '-g', 'history-limit', '5000'],
  ['set-option', '-g', 'default-terminal', 'screen-256color'],
  ['set-option', '-g', 'escape-time', '10'],
  ['set-option', '-g', 'update-environment', ''],
  ...newSession,
];

/** Whether anything listens on the socket; a server that is too busy to answer does. */
export function listens(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

/** Running servers that `startServer` started, by socket; found by their arguments, on Linux only. */
function serversByArguments(processes: readonly Process[]): Map<string, Process> {
  const servers = new Map<string, Process>();
  for (const one of processes) {
    if (one.pid !== one.session) continue;
    const words = argumentsOf(one.pid);
    const at = words.indexOf('-S');
    const socket = words[at + 1];
    const isTmux = words.slice(0, Math.max(at, 0)).some((word) => basename(word).startsWith('tmux'));
    const isServer = isTmux && words.includes('start-server');
    // Another user's process may have such arguments too.
    if (isServer && socket !== undefined && isOwnProcess(one.pid)) servers.set(socket, one);
  }
  return servers;
}

/** The sockets in a folder whose servers run, even if the socket file was deleted. */
export async function runningSockets(folder: string): Promise<string[]> {
  return [...serversByArguments(await listProcesses()).keys()].filter((socket) => dirname(socket) === folder);
}

async function until(holds: () => Promise<boolean>, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() >= deadline) return false;
    await pause(10);
  }
  return true;
}

/** How long a server that runs may take to create its socket, in milliseconds: much else may run on the machine. */
const recoveryMs = 10_000;

/** Makes a server whose socket file was deleted create it again; false if there is no such server. */
export async function recoverSocket(socket: string): Promise<boolean> {
  const server = serversByArguments(await listProcesses()).get(socket);
  if (server === undefined) return false;
  signalProcess(server, 'SIGUSR1');
  const isAlive = async () => (await findProcess(server.pid))?.started === server.started;
  return (await until(async () => (await listens(socket)) || !(await isAlive()), recoveryMs)) && listens(socket);
}

/** Whether a server is running for the socket, even if the socket file was deleted. */
export async function isRunning(socket: string): Promise<boolean> {
  if (await listens(socket)) return true;
  const there = await access(socket).then(
    () => true,
    () => false,
  );
  return there ? false : recoverSocket(socket);
}

/** How a tmux command ended, and its output. */
interface TmuxEnd {
  readonly code: number | null;
  readonly output: string;
  readonly complaint: string;
}

/** @throws FAILED_PRECONDITION when the folder of the socket does not belong to the person */
async function runTmux(spec: ServerSpec, args: readonly string[]): Promise<TmuxEnd> {
  checkSocketFolder(dirname(spec.socket));
  return new Promise((resolve, reject) => {
    const child = spawn(spec.tmux, ['-u', '-S', spec.socket, ...args], {
      env: { ...spec.environment },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: spec.patience,
      killSignal: 'SIGKILL',
    });
    const [output, complaint] = [textOf(child.stdout), textOf(child.stderr)];
    child.once('error', reject);
    const settle = (code: number | null) => resolve({ code, output: output().trim(), complaint: complaint().trim() });
    child.once('close', settle);
    child.once('exit', (code, signal) => {
      // A server that hangs keeps its client's output open, so that it may never close.
      if (signal === null) return;
      child.stdout.destroy();
      child.stderr.destroy();
      settle(code);
    });
  });
}

/** Collects the output of a stream. The returned function returns the text so far. */
function textOf(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/**
 * Asks the server by a new tmux process, not over an existing connection; undefined if no server runs.
 * @throws UNAVAILABLE when a server may run but does not answer, FAILED_PRECONDITION when its socket is another user's
 */
export async function askServer(spec: ServerSpec, words: readonly string[]): Promise<string | undefined> {
  const silent = (error: unknown) => {
    if (error instanceof Failure) throw error;
    return { code: null, output: '', complaint: String(error) };
  };
  const { code, output, complaint } = await runTmux(spec, ['-N', ...commandWords([words])]).catch(silent);
  if (code === 0) return output;
  if (!(await isRunning(spec.socket))) return undefined;
  throw new Failure('TMUX_UNAVAILABLE', `tmux does not answer (${complaint || 'it took too long'}); try again`);
}

/**
 * Starts the server and its session if they are missing. tmux fails while an old server is just ending, so this tries
 * for two seconds. @throws UNAVAILABLE with what tmux said.
 */
export async function startServer(spec: ServerSpec): Promise<void> {
  let complaint = '';
  const started = await until(async () => {
    await keepSocketFolder(dirname(spec.socket));
    const result = await runTmux(spec, ['-f', '/dev/null', ...commandWords(startCommands(spec))]);
    complaint = result.complaint;
    return result.code === 0 || complaint.includes(`duplicate session: ${session}`);
  }, 2000);
  if (!started)
    throw new Failure('TMUX_UNAVAILABLE', `tmux does not start (${complaint}); is it installed, and is there memory?`);
}

/**
 * Restores a running server's session if a person closed it. Returns whether it did: false if the session is there
 * or no server runs.
 */
export async function restoreSession(spec: ServerSpec): Promise<boolean> {
  const result = await runTmux(spec, ['-N', ...commandWords(newSession)]).catch(() => undefined);
  return result?.code === 0;
}

/**
 * Ends what outlived a dead server of this socket: programs that ignore the hang-up of their terminal and would
 * continue unnoticed. They are recognized by the environment that tmux gave them, so on Linux only. Programs of a
 * running server are spared.
 */
export async function endStrays(socket: string): Promise<void> {
  const mark = `TMUX=${socket},`;
  await endProcesses((processes) => {
    const living = serversByArguments(processes).get(socket);
    const spared = living === undefined ? undefined : `${mark}${living.pid},`;
    return processes.filter((one) => {
      const own = environmentOf(one.pid).find((entry) => entry.startsWith(mark));
      return own !== undefined && (spared === undefined || !own.startsWith(spared));
    });
  });
}

/** Ends a server with all its panes and removes its socket; no error if there is none. */
export async function endServer(spec: ServerSpec, server: Process | undefined): Promise<void> {
  // In a folder of another user, the server that listens is not this one, which is ended by its process.
  if (await listens(spec.socket)) await runTmux(spec, ['-N', 'kill-server']).catch(() => undefined);
  const ended = await until(async () => !(await listens(spec.socket)), 2000);
  if (!ended && server !== undefined) {
    const isServer = (one: Process) => one.pid === server.pid && one.started === server.started;
    await endProcesses((processes) => processes.filter(isServer));
  }
  await endStrays(spec.socket);
  await rm(spec.socket, { force: true });
  await rm(`${spec.socket}.lock`, { force: true });
}
