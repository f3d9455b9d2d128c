import { spawn } from 'node:child_process';
import { Failure } from '#contract/failure.ts';

const forwarded = ['SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a program in this terminal until it ends, and returns its exit code, or 1 if a signal ended it. The program
 * itself handles Ctrl-C.
 * @throws UNAVAILABLE when it cannot be started.
 */
export async function runInTerminal(command: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: 'inherit', env });
  const ignore = (): void => {};
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', ignore);
  for (const signal of forwarded) process.on(signal, pass);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Failure('PROGRAM_NOT_STARTED', `${program} cannot be run: ${said}`, { cause: error });
  } finally {
    process.off('SIGINT', ignore);
    for (const signal of forwarded) process.off(signal, pass);
  }
}

/** A command line quoted for a POSIX shell. */
export function shellLine(command: readonly string[]): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
