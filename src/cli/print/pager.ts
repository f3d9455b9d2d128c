import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { actsAsAgent } from '#cli/client/connection.ts';
import type { CliIo } from '#cli/client/io.ts';
import { Failure } from '#contract/failure.ts';

/** The output for a long text. */
export interface Pager {
  /** Whether its reader has not left. */
  readonly isOpen: boolean;
  write(text: string): Promise<void>;
  /** Ends the text, and waits until its reader has left. @throws PROGRAM_NOT_STARTED */
  close(): Promise<void>;
}

/** The same as in git: less quits if all fits on one screen, passes colours through, and does not clear the screen. */
const forLess = { LESS: 'FRX', LV: '-c' };
/** less, if it is installed. */
const byDefault = 'if command -v less >/dev/null; then exec less; else exec cat; fi';
/** A shell's exit codes for a program that cannot be run. */
const notRun: readonly (number | null)[] = [126, 127];

/**
 * The person's PAGER, if the output is a terminal. An agent has none, because it would wait in its pane for a key.
 */
export function openPager(io: CliIo): Pager {
  const { stdout, env } = io;
  const named = env['PAGER']?.trim() ?? byDefault;
  const isRead = stdout.isTTY && env['TERM'] !== 'dumb' && !actsAsAgent(io);
  return isRead && named !== '' && named !== 'cat' ? pagerOf(named, { ...forLess, ...env }) : plain(stdout);
}

function plain(stdout: CliIo['stdout']): Pager {
  return { isOpen: true, write: async (text) => stdout.write(text), close: async () => undefined };
}

function pagerOf(command: string, env: NodeJS.ProcessEnv): Pager {
  const child = spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'inherit', 'inherit'] });
  const { stdin } = child;
  let isOpen = true;
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    isOpen = false;
    if (notRun.includes(code ?? null))
      throw new Failure('PROGRAM_NOT_STARTED', `PAGER is ${command}: it cannot be run`);
  });
  ended.catch(() => undefined);
  // The person may leave the pager early.
  stdin.on('error', () => {
    isOpen = false;
  });
  // Ctrl-C is for the pager.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  return {
    get isOpen() {
      return isOpen;
    },
    write: async (text) => {
      if (isOpen && !stdin.write(text)) await Promise.race([once(stdin, 'drain').catch(() => undefined), ended]);
    },
    close: async () => {
      stdin.end();
      await ended.finally(() => process.off('SIGINT', ignore));
    },
  };
}
