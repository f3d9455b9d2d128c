import { cancelSignal } from '#world/concurrency/cancellation.ts';
import { type GroupEnd, runGroup } from '#world/process/group/process-group.ts';
import { gitEnvironment } from './git-environment.ts';
import { GitError, type GitFailureKind } from './git-error.ts';

export interface GitOptions {
  /** Default `/`, so that git never finds a repository through the process's own directory. */
  readonly cwd?: string;
  /** Additions to the clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The standard input; by default empty. */
  readonly input?: string | Uint8Array;
  /** An open file that is standard input instead, from its current position. */
  readonly inputFile?: number;
  /** The time limit, by default 30 s, after which the whole process group is killed. */
  readonly timeoutMs?: number;
  /** The maximum size of standard output. Default 64 MiB. */
  readonly maxOutputBytes?: number;
  /** The maximum size of standard error. By default any amount is allowed, and only its end is kept. */
  readonly maxErrorBytes?: number;
  /** Exit codes that are not errors. Default only 0. */
  readonly exitCodes?: readonly number[];
  readonly signal?: AbortSignal;
}

export interface GitOutput {
  /** Raw bytes, because paths need not be UTF-8. */
  readonly stdout: Buffer;
  /** All of it if `maxErrorBytes` is set, else its end. */
  readonly stderr: Buffer;
  readonly exitCode: number;
}

const stderrBytes = 64 * 1024;

/**
 * Configuration overrides for commands that must use the real repository, so that nothing it names is run. Filters,
 * drivers and aliases have arbitrary names, so commands that could use them run in a `Shadow` instead.
 */
export const deniedConfig: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.attributesFile=/dev/null',
  'core.commitGraph=false',
  'core.fsync=objects,derived-metadata,reference',
  'core.fsyncMethod=fsync',
  'core.filesRefLockTimeout=5000',
  'core.packedRefsTimeout=5000',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);

/**
 * Runs git without a shell. It is ended when the surrounding work is cancelled, and with this process.
 * @throws GitError when it fails
 */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  const limit = options.maxOutputBytes ?? 64 * 1024 * 1024;
  const tooMuch = new AbortController();
  const stdout: Buffer[] = [];
  let size = 0;
  let stderr = Buffer.alloc(0);
  const fail = (trouble: GitFailureKind, exitCode?: number): GitError =>
    new GitError(trouble, args, exitCode, stderr.toString('utf8'));

  const end = await started(args, options, tooMuch.signal, {
    onStdout: (chunk) => {
      size += chunk.length;
      if (size > limit) tooMuch.abort();
      else stdout.push(chunk);
    },
    onStderr: (chunk) => {
      stderr = Buffer.concat([stderr, chunk]);
      if (options.maxErrorBytes === undefined) stderr = stderr.subarray(-stderrBytes);
      else if (stderr.length > options.maxErrorBytes) tooMuch.abort();
    },
  });
  if (end === undefined) throw fail('start');
  if (tooMuch.signal.aborted) throw fail('output');
  if (end.timedOut) throw fail('timeout');
  if (options.signal?.aborted || cancelSignal()?.aborted) throw fail('aborted');
  if (end.exitCode === undefined || !(options.exitCodes ?? [0]).includes(end.exitCode))
    throw fail('exit', end.exitCode);
  return { stdout: Buffer.concat(stdout), stderr, exitCode: end.exitCode };
}

async function started(
  args: readonly string[],
  options: GitOptions,
  tooMuch: AbortSignal,
  output: { onStdout: (chunk: Buffer) => void; onStderr: (chunk: Buffer) => void },
): Promise<GroupEnd | undefined> {
  try {
    return await runGroup({
      file: 'git',
      args,
      cwd: options.cwd ?? '/',
      env: { ...gitEnvironment(), ...options.env },
      leavesNothing: true,
      timeoutMs: options.timeoutMs ?? 30_000,
      signal: options.signal ? AbortSignal.any([options.signal, tooMuch]) : tooMuch,
      ...(options.input === undefined ? {} : { input: options.input }),
      ...(options.inputFile === undefined ? {} : { inputFile: options.inputFile }),
      ...output,
    });
  } catch {
    return undefined;
  }
}
