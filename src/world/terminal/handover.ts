import { constants, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { runGroup } from '#world/process/group/process-group.ts';
import { shellWord } from '#world/shell-text.ts';
import { handoverVariable } from './window-spec.ts';

/** How long a window's shell may take until it reads, and until it has read everything, in milliseconds. */
const readWithinMs = 10_000;
const pauseMs = 5;
/** How long a shell may take to open a pipe that it found, in milliseconds. */
const lateMs = 100;

/** Variables that exist only in the environment of a window's program, and in no argument. */
export type PrivateVariables = Readonly<Record<string, string>>;

/** Variables that wait for the shell of a window to read them. */
export interface Handover {
  /** The variables that the window's environment needs so that its shell reads the others. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Passes the variables on, once, and removes the pipe.
   * @throws UNAVAILABLE when the window's shell does not read them in time
   */
  deliver(variables: PrivateVariables): Promise<void>;
  /** Cancels: removes the pipe. */
  drop(): void;
}

/**
 * Hands secrets to the shells of windows through named pipes, one for each window: their text is only ever in the
 * memory of both processes and of the kernel, never in a file, and is gone with either process. A pipe that is still
 * there belongs to a window whose shell has read nothing.
 */
export class Handovers {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether a window with this id was opened and has not read its variables: its program has not started. */
  isPending(id: string): boolean {
    return statSync(this.#path(id), { throwIfNoEntry: false }) !== undefined;
  }

  /** Makes the pipe for a window. @throws FAILED_PRECONDITION when that is impossible */
  async prepare(id: string): Promise<Handover> {
    const path = this.#path(id);
    this.drop(id);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const env = { PATH: process.env['PATH'] ?? '' };
    const silent = { onStdout: () => {}, onStderr: () => {} };
    const made = { file: 'mkfifo', args: ['-m', '600', path], cwd: '/', env, timeoutMs: readWithinMs, ...silent };
    const end = await runGroup(made).catch(() => undefined);
    if (end?.exitCode !== 0) {
      throw new Failure('SECRET_UNAVAILABLE', `mkfifo cannot make the pipe ${path} for its secrets: check that folder`);
    }
    return {
      env: { [handoverVariable]: path },
      deliver: (variables) => deliver(path, variables).finally(() => this.drop(id)),
      drop: () => this.drop(id),
    };
  }

  /** Removes the pipe of a window. */
  drop(id: string): void {
    rmSync(this.#path(id), { force: true });
  }

  /** Removes the pipes that an earlier process left and that no window waits for. */
  async sweep(): Promise<void> {
    for (const id of this.#left()) {
      const writer = await openPipe(this.#path(id)).catch(() => undefined);
      if (writer === undefined) await this.#dropUnread(id);
      await writer?.close();
    }
  }

  /** Removes a pipe without a reader. One that opens it in between reads its end, where it would wait for ever. */
  async #dropUnread(id: string): Promise<void> {
    // For both, because without a reader it opens for writing alone only once there is one.
    const held = await open(this.#path(id), constants.O_RDWR | constants.O_NONBLOCK).catch(() => undefined);
    this.drop(id);
    if (held === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, lateMs));
    await held.close();
  }

  #left(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }

  #path(id: string): string {
    return join(this.#folder, id);
  }
}

/** A pipe's writing side; undefined while it has no reader. */
async function openPipe(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENXIO') return undefined;
    throw error;
  }
}

async function deliver(path: string, variables: PrivateVariables): Promise<void> {
  const until = performance.now() + readWithinMs;
  const soon = async (): Promise<void> => {
    if (performance.now() > until)
      throw new Failure('WINDOW_NOT_OPENED', 'the shell of its window did not read its secrets in time');
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  };
  let writer = await openPipe(path);
  while (writer === undefined) {
    await soon();
    writer = await openPipe(path);
  }
  try {
    let left: Buffer = Buffer.from(exportsOf(variables));
    while (left.length > 0) {
      const written = await writer.write(left).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
        throw new Failure('WINDOW_NOT_OPENED', 'the shell of its window ended before it had read its secrets');
      });
      if (written === undefined) await soon();
      left = left.subarray(written?.bytesWritten ?? 0);
    }
  } finally {
    await writer.close();
  }
}

/** The script that a shell evaluates to set the variables. Its last line marks it as complete. */
function exportsOf(variables: PrivateVariables): string {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${shellWord(value)}`);
  return [...lines, ':'].join('\n');
}
