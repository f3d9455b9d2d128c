import { realpath, stat } from 'node:fs/promises';
import { systemTimer } from '#world/concurrency/timer.ts';
import { runGroup } from '#world/process/group/process-group.ts';

/** How long a program may take to answer before it is ended, in milliseconds. */
const timeoutMs = 10_000;
/** How much of each stream of its output is kept, in characters. */
const maxOutput = 65_536;
/** How long an answer is valid, in milliseconds: the file may be a script that starts another program. */
const validMs = 60 * 60_000;
/** The same for a missing answer: the program may only have been too slow. */
const failedMs = 60_000;
/** Maximum number of cached programs. */
const maxCached = 64;

/** A program that prints an answer and exits. */
export interface ProgramCommand {
  /** Its absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The output of a program. */
interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Extracts the answer from a program's output; undefined if it has none. */
type ParseAnswer = (printed: ProgramOutput) => string | undefined;

interface CachedAnswer {
  readonly answer: Promise<string | undefined>;
  until: number;
  /** Whether the last run gave no answer. Then the program runs again, but the caller does not wait. */
  isMute: boolean;
}

const cache = new Map<string, CachedAnswer>();

/**
 * The answer that a program prints: undefined if it prints none, fails, or has not answered within `withinMs`
 * milliseconds. It runs once for its arguments and each state of its file: its real path, inode, size and times. The
 * same arguments must come with the same `parse`. A program that gave no answer runs again after `againMs`
 * milliseconds, without a wait.
 */
export async function programAnswer(
  call: ProgramCommand,
  parse: ParseAnswer,
  withinMs: number,
  againMs = failedMs,
): Promise<string | undefined> {
  const key = await identityOf(call);
  if (key === undefined) return undefined;
  const now = systemTimer.monotonic();
  const previous = cache.get(key);
  const current =
    previous !== undefined && previous.until >= now
      ? previous
      : remember(key, ask(call, parse), { now, againMs, isMute: previous?.isMute ?? false });
  const late = new AbortController();
  const tooLate = systemTimer.sleep(current.isMute ? 0 : withinMs, late.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([current.answer, tooLate]);
  } finally {
    late.abort();
  }
}

interface CacheOptions {
  readonly now: number;
  readonly againMs: number;
  readonly isMute: boolean;
}

function remember(key: string, answer: CachedAnswer['answer'], { now, againMs, isMute }: CacheOptions): CachedAnswer {
  const entry: CachedAnswer = { answer, until: now + validMs, isMute };
  cache.delete(key);
  cache.set(key, entry);
  for (const oldest of cache.keys()) if (cache.size > maxCached) cache.delete(oldest);
  void answer.then((text) => {
    entry.isMute = text === undefined;
    if (text === undefined) entry.until = systemTimer.monotonic() + againMs;
  });
  return entry;
}

/** What distinguishes this state of the program from any other; undefined if there is no such file. */
async function identityOf({ program, args }: ProgramCommand): Promise<string | undefined> {
  try {
    const file = await realpath(program);
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return JSON.stringify([file, args, ...[dev, ino, size, mtimeNs, ctimeNs].map(String)]);
  } catch {
    return undefined;
  }
}

async function ask({ program, args, environment }: ProgramCommand, parse: ParseAnswer): Promise<string | undefined> {
  const output = { stdout: '', stderr: '' };
  const keep = (stream: keyof typeof output) => (chunk: Buffer) => {
    output[stream] = (output[stream] + chunk.toString()).slice(0, maxOutput);
  };
  try {
    const { exitCode } = await runGroup({
      file: program,
      args,
      // Not the agent's own directory, whose content must not have an influence.
      cwd: '/',
      env: environment,
      timeoutMs,
      onStdout: keep('stdout'),
      onStderr: keep('stderr'),
    });
    return exitCode === 0 ? parse(output) : undefined;
  } catch {
    return undefined;
  }
}
