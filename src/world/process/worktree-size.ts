import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Measures how much disk a folder takes, in bytes, with `du` at the lowest priority: without following links, and
 * without what is mounted in it. Returns undefined if that takes longer than `withinMs` milliseconds, or is not possible.
 */
export async function worktreeSize(path: string, withinMs: number): Promise<number | undefined> {
  const kibibytes = await measured(['-skx', '--', path], withinMs);
  return kibibytes === undefined ? undefined : kibibytes * 1024;
}

/** Counts the files and folders in a folder, as `worktreeSize` measures it. Undefined also where `du` cannot count. */
export function fileCount(path: string, withinMs: number): Promise<number | undefined> {
  return measured(['-sx', '--inodes', '--', path], withinMs);
}

async function measured(args: readonly string[], withinMs: number): Promise<number | undefined> {
  const options = { timeout: withinMs, killSignal: 'SIGKILL', maxBuffer: 16 * 1024 ** 2 } as const;
  const { stdout } = await run('nice', ['-n', '19', 'du', ...args], options).catch(
    // It fails for a folder that it may not read, and still prints the rest.
    (error: { readonly killed?: boolean; readonly stdout?: string }) => ({ stdout: error.killed ? '' : error.stdout }),
  );
  const number = /^(\d+)\s/.exec(stdout ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}
