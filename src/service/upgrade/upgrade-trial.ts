import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a new version may take to get ready, in milliseconds: more than its processes may take together. */
const readyWithinMs = 180_000;
/** How long it may take to stop, in milliseconds. */
const stopWithinMs = 15_000;
/** The exit status with which a `muster start` gives way to the upgrade that was prepared. */
export const givesWayStatus = 75;

/** The messages that a `muster start` sends to the process that tries it. Other versions of muster read them. */
export type StartMessage = { readonly type: 'ready' } | { readonly type: 'failed'; readonly message: string };

/** A `muster start` that is tried. */
export interface StartTrial {
  /** Undefined once it is ready; otherwise why it will not be. */
  readonly outcome: Promise<string | undefined>;
  /** Its exit status, once it has ended. */
  readonly ended: Promise<number>;
  /** Ends it, and everything that it runs. May be called twice. */
  stop(): Promise<void>;
}

/** Starts everything with the program in a folder, in this terminal, as a child that ends with this process. */
export function tryStart(folder: string): StartTrial {
  const child = spawn(process.execPath, [join(folder, 'bin', 'muster.mjs'), 'start'], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const ended = endOf(child);
  const late = new AbortController();
  let why: string | undefined;
  const ready = new Promise<undefined>((resolve) => {
    child.on('message', (message: StartMessage) => {
      if (message.type === 'ready') resolve(undefined);
      if (message.type === 'failed') why = message.message;
    });
  });
  const outcome = Promise.race([
    ready,
    ended.then((status) => why ?? `it ended with status ${status} before it was ready`),
    delay(readyWithinMs, undefined, { signal: late.signal }).then(
      () => `it was not ready within ${readyWithinMs / 1_000} s`,
      () => undefined,
    ),
  ]).finally(() => late.abort());
  return {
    outcome,
    ended,
    async stop() {
      child.kill('SIGTERM');
      const waiting = new AbortController();
      const tooLate = delay(stopWithinMs, 'late' as const, { signal: waiting.signal }).catch(() => undefined);
      if ((await Promise.race([ended, tooLate])) === 'late') child.kill('SIGKILL');
      waiting.abort();
      await ended;
    },
  };
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (status) => resolve(status ?? 1));
  });
}
