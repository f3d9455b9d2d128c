import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { actsAsAgent } from '#cli/client/connection.ts';
import type { CliIo } from '#cli/client/io.ts';
import { Failure } from '#contract/failure.ts';

/** Where a long text is written. */
export interface Pager {
  /** Whether anybody still reads it. */
  readonly isOpen: boolean;
  write(text: string): Promise<void>;
  /** Ends the text, and waits until its reader has left. @throws PROGRAM_NOT_STARTED */
  close(): Promise<void>;
}

/** What git gives less too: it leaves at once if all fits on the screen, passes colours on, and clears nothing. */
const forLess = { LESS: 'FRX', LV: '-c' };
/** less, if it is installed. */
const byDefault = 'if command -v less >/dev/null; then exec less; else exec cat; fi';
/** What a shell exits with if it cannot run a program. */
const notRun: readonly (number | null)[] = [126, 127];

/**
 * The person's pager on a terminal, as git takes it from PAGER. An agent has none, as it would wait in its pane for a
 * key; nor has a pipe or a file.
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
  // Whoever leaves the pager early has read enough.
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
