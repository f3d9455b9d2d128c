import { realpath, stat } from 'node:fs/promises';
import { systemTimer } from '#world/concurrency/timer.ts';
import { runGroup } from './process-group.ts';

/** How long a program may take to answer before it is ended, in milliseconds. */
const timeoutMs = 10_000;
/** How much of each stream of its output is kept, in characters. */
const maxOutput = 65_536;
/** How long an answer is valid, in milliseconds: the file may be a script that starts another program. */
const knownMs = 60 * 60_000;
/** The same if the program gave none: it may only have been too slow. */
const failedMs = 60_000;
/** How many programs are remembered. */
const maxKnown = 64;

/** A program that prints an answer and exits. */
export interface AskedProgram {
  /** Its absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What a program printed. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** The answer in what a program printed; undefined if it has none. */
type Reading = (printed: Printed) => string | undefined;

interface Known {
  readonly asking: Promise<string | undefined>;
  until: number;
  /** Whether it gave none last time. Then it is asked again, but without waiting for it. */
  isMute: boolean;
}

const known = new Map<string, Known>();

/**
 * The answer that a program prints: undefined if it prints none, fails, or has not answered within `withinMs`
 * milliseconds. It is asked once for its arguments and each state of its file: where that leads, its inode, its size,
 * and when it was changed; `reading` has to be the same for the same arguments. A program that gave none is asked again
 * after `againMs` milliseconds, and not waited for.
 */
export async function programAnswer(
  asked: AskedProgram,
  reading: Reading,
  withinMs: number,
  againMs = failedMs,
): Promise<string | undefined> {
  const key = await identityOf(asked);
  if (key === undefined) return undefined;
  const now = systemTimer.monotonic();
  const old = known.get(key);
  const found =
    old !== undefined && old.until >= now
      ? old
      : begin(key, ask(asked, reading), { now, againMs, isMute: old?.isMute ?? false });
  const late = new AbortController();
  const tooLate = systemTimer.sleep(found.isMute ? 0 : withinMs, late.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([found.asking, tooLate]);
  } finally {
    late.abort();
  }
}

interface Beginning {
  readonly now: number;
  readonly againMs: number;
  readonly isMute: boolean;
}

function begin(key: string, asking: Known['asking'], { now, againMs, isMute }: Beginning): Known {
  const one: Known = { asking, until: now + knownMs, isMute };
  known.delete(key);
  known.set(key, one);
  for (const oldest of known.keys()) if (known.size > maxKnown) known.delete(oldest);
  void asking.then((answer) => {
    one.isMute = answer === undefined;
    if (answer === undefined) one.until = systemTimer.monotonic() + againMs;
  });
  return one;
}

/** What distinguishes this state of the program from any other; undefined if there is no such file. */
async function identityOf({ program, args }: AskedProgram): Promise<string | undefined> {
  try {
    const file = await realpath(program);
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return JSON.stringify([file, args, ...[dev, ino, size, mtimeNs, ctimeNs].map(String)]);
  } catch {
    return undefined;
  }
}

async function ask({ program, args, environment }: AskedProgram, reading: Reading): Promise<string | undefined> {
  const said = { stdout: '', stderr: '' };
  const keep = (stream: keyof typeof said) => (chunk: Buffer) => {
    said[stream] = (said[stream] + chunk.toString()).slice(0, maxOutput);
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
    return exitCode === 0 ? reading(said) : undefined;
  } catch {
    return undefined;
  }
}
