import { StringDecoder } from 'node:string_decoder';
import { Failure } from '#contract/failure.ts';
import { type GroupEnd, runGroup, secretFd } from '#world/process/group/process-group.ts';
import { findProgram } from '#world/program/find-program.mjs';
import { shellWord } from '#world/shell-text.ts';

/** How long a script may take to clean up once its time is up, in milliseconds. */
const graceMs = 2_000;

/**
 * Makes the shell run a command as with `-c`, not from a file, with the same `$0`, `return` and line numbers. The
 * program that reads the command gets the script's text, so it is looked up as safely as all programs that muster
 * starts.
 */
function evaluate(path: string | undefined): string {
  const reader = findProgram('cat', path) ?? '/bin/cat';
  return `eval "exec ${secretFd}<&-; $(${shellWord(reader)} <&${secretFd})"`;
}

export interface ScriptRun {
  /** What `/bin/sh` runs, as by `-c`; it is in no argument, which other users of the machine can read. */
  readonly command: string;
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Makes the command line that runs it isolated. Default: as it is. */
  readonly around?: (argv: readonly string[]) => readonly string[];
  /** Standard output and standard error as they come, as whole characters. */
  readonly onOutput: (text: string) => void;
}

export interface ScriptEnd {
  /** Undefined if a signal ended the script, or it was aborted before it started. */
  readonly exitCode: number | undefined;
  readonly signal?: string;
  readonly timedOut: boolean;
}

/**
 * Runs a shell script in a process group of its own. At the time limit or on abort the whole group gets SIGTERM, and
 * SIGKILL two seconds later. @throws FAILED_PRECONDITION when the script cannot be started.
 */
export async function runScript(run: ScriptRun): Promise<ScriptEnd> {
  const stdout = new StringDecoder('utf8');
  const stderr = new StringDecoder('utf8');
  const pass = (text: string): void => {
    if (text !== '') run.onOutput(text);
  };
  const end = await started(run, {
    onStdout: (chunk) => pass(stdout.write(chunk)),
    onStderr: (chunk) => pass(stderr.write(chunk)),
  });
  pass(stdout.end());
  pass(stderr.end());
  return {
    exitCode: end.exitCode,
    timedOut: end.timedOut,
    ...(end.signal === undefined ? {} : { signal: end.signal }),
  };
}

async function started(
  run: ScriptRun,
  output: { onStdout: (chunk: Buffer) => void; onStderr: (chunk: Buffer) => void },
): Promise<GroupEnd> {
  const { command, cwd, env, timeoutMs, signal, around = (argv) => argv } = run;
  if (command.includes('\0')) {
    throw new Failure(
      'SCRIPT_FAILED',
      'the script could not be started: it contains a NUL character, which no shell accepts',
    );
  }
  try {
    const [file = '', ...args] = around(['/bin/sh', '-c', evaluate(env['PATH'])]);
    return await runGroup({
      file,
      args,
      secret: command,
      cwd,
      env,
      timeoutMs,
      graceMs,
      ...(signal ? { signal } : {}),
      ...output,
    });
  } catch (cause) {
    throw new Failure('SCRIPT_FAILED', `the script could not be started in ${cwd}: does the folder exist?`, { cause });
  }
}
