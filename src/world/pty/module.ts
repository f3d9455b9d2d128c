import type { IPty, IPtyForkOptions } from 'node-pty';

/**
 * One pseudo-terminal and the program in it, as node-pty gives it on Linux and macOS. `fd` is the terminal's own side: it
 * is closed, and its number is free to mean another file, from the moment that `error` or `close` is told.
 */
export interface Pty extends IPty {
  readonly fd: number;
  on(event: 'error' | 'close', listener: () => void): void;
}

/** What of node-pty is used. */
export interface PtyModule {
  spawn(file: string, args: string[], options: IPtyForkOptions): Pty;
}

/** node-pty, which npm builds where it can; undefined where it is not there or does not run on this machine. */
export async function loadPty(): Promise<PtyModule | undefined> {
  try {
    return (await import('node-pty')) as unknown as PtyModule;
  } catch {
    return undefined;
  }
}
