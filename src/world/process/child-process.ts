import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { fileFailure, isDiskFault } from '#contract/file-fault.ts';
import { endSurvivor, removePidFile, writePidFile } from './pid-file.ts';

/** How long a child that outlived its parent may take to end, in milliseconds. */
const survivorGraceMs = 5_000;

/** Describes a child process: what is run, and how it reports that it is ready. */
export interface ChildSpec {
  readonly name: string;
  readonly argv: readonly [program: string, ...args: string[]];
  /** The whole environment of the child. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * `message`: the child sends `{ type: 'ready', url? }` over its IPC channel, and stops on its own once that channel
   * closes. A function: called with the child's id every 20 ms until it returns the child's address.
   */
  readonly readiness: 'message' | ((pid: number) => string | undefined | Promise<string | undefined>);
  /** How long the child may take to become ready, in milliseconds. */
  readonly readyWithin: number;
  /** Whether the running child serves HTTP at its address, so that it counts as hanging if it does not answer. */
  readonly answersHttp?: true;
  /**
   * The file that records the running child, so that one that outlives its parent is ended before the next is started.
   * If the file cannot be written, the child runs anyway.
   */
  readonly pidFile: string;
}

/** How a child ended: its exit status or the signal that ended it. */
export interface ChildExit {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child that is ready. */
export interface RunningChild {
  readonly pid: number;
  /** The address of the child; undefined if it reported none. */
  readonly url: string | undefined;
  /** Why the child cannot do its work yet; undefined if it can. */
  readonly refusal: string | undefined;
  readonly exited: Promise<ChildExit>;
  /** Asks the child to end (SIGTERM), and ends it (SIGKILL) if it still runs after `graceMs`. May be called twice. */
  stop(graceMs: number): Promise<ChildExit>;
}

/**
 * Ends a survivor of an earlier parent, starts the child in a process group of its own, so that a Ctrl-C at the
 * terminal reaches the parent alone, and waits until it is ready.
 * @param cancel ends the wait; the child is ended too, and the signal's reason is thrown.
 * @throws UNAVAILABLE when it cannot be started, ends first, or is not ready in time, RESOURCE_EXHAUSTED when no
 * more files may be opened; then it has ended.
 */
export async function launchChild(spec: ChildSpec, cancel?: AbortSignal): Promise<RunningChild> {
  await endSurvivor(spec.pidFile, survivorGraceMs);
  cancel?.throwIfAborted();
  const child = spawnChild(spec);
  const exited = exitOf(child).finally(() => removePidFile(spec.pidFile));
  const stop = (graceMs: number) => stopChild(child, exited, graceMs);
  const settled = new AbortController();
  const waiting = cancel ? AbortSignal.any([settled.signal, cancel]) : settled.signal;
  const outcome = Promise.race([
    readinessOf(child, spec, waiting),
    exited.then((exit) => refuse(`${spec.name} ended before it was ready (${describeExit(exit)})`)),
    delay(spec.readyWithin, undefined, { signal: waiting }).then(() =>
      refuse(`${spec.name} was not ready within ${spec.readyWithin} ms`),
    ),
  ]);
  try {
    const [{ url, refusal }] = await Promise.all([outcome, note(spec, child)]);
    // Record it again: a program that was started through another one only now has its own command line.
    await note(spec, child);
    return { pid: child.pid ?? 0, url, refusal, exited, stop };
  } catch (error) {
    await stop(500);
    throw cancel?.aborted ? cancel.reason : error;
  } finally {
    settled.abort();
  }
}

/**
 * Records that the child is running. A failure is ignored, because only a later parent would need the record, and it
 * also checks ports and locks.
 */
async function note({ pidFile }: ChildSpec, { pid }: ChildProcess): Promise<void> {
  await writePidFile(pidFile, pid).catch((error: unknown) => {
    if (!isDiskFault(error)) throw error;
  });
}

function refuse(message: string): never {
  throw new Failure('PROGRAM_NOT_STARTED', message);
}

function spawnChild(spec: ChildSpec): ChildProcess {
  const [program, ...args] = spec.argv;
  return spawn(program, args, {
    detached: true,
    env: { ...spec.env },
    stdio: ['ignore', 'inherit', 'inherit', ...(spec.readiness === 'message' ? (['ipc'] as const) : [])],
  });
}

/** An exit as text: `status 1` or `signal SIGKILL`. */
export function describeExit({ status, signal }: ChildExit): string {
  return signal === null ? `status ${status}` : `signal ${signal}`;
}

function exitOf(child: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      // While the child runs, its exit is reported elsewhere. This error is about a message or a signal to it.
      if (child.pid !== undefined) return;
      const subject = `${child.spawnfile} cannot be started`;
      const isOutOfFiles = 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
      if (isOutOfFiles) reject(fileFailure(error, subject, 'or end what has them open'));
      else reject(new Failure('PROGRAM_NOT_STARTED', `${subject}: ${error.message}`, { cause: error }));
    });
    child.once('exit', (status, signal) => resolve({ status, signal }));
  });
}

/** What a child reports once it is ready. */
type Readiness = Pick<RunningChild, 'url' | 'refusal'>;

async function readinessOf(child: ChildProcess, spec: ChildSpec, signal: AbortSignal): Promise<Readiness> {
  if (spec.readiness === 'message') return readyMessage(child);
  for (;;) {
    const url = child.pid === undefined ? undefined : await spec.readiness(child.pid);
    if (url !== undefined) return { url, refusal: undefined };
    await delay(20, undefined, { signal });
  }
}

function readyMessage(child: ChildProcess): Promise<Readiness> {
  return new Promise((resolve) => {
    child.on('message', (message: unknown) => {
      if (typeof message !== 'object' || message === null || !('type' in message) || message.type !== 'ready') return;
      const url = 'url' in message && typeof message.url === 'string' ? message.url : undefined;
      resolve({ url, refusal: 'refusal' in message ? String(message.refusal) : undefined });
    });
  });
}

/** How long the kernel may take to end a child that was sent SIGKILL, before it is no longer waited for. */
const killPatienceMs = 500;

async function stopChild(child: ChildProcess, exited: Promise<ChildExit>, graceMs: number): Promise<ChildExit> {
  const ended = exited.catch((): ChildExit => ({ status: null, signal: null }));
  child.kill('SIGTERM');
  const exit = await within(ended, graceMs);
  if (exit !== undefined) return exit;
  child.kill('SIGKILL');
  return (await within(ended, killPatienceMs)) ?? { status: null, signal: 'SIGKILL' };
}

/** The value of a promise, or undefined if it takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const waiting = new AbortController();
  const late = delay(ms, undefined, { signal: waiting.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    waiting.abort();
  }
}
