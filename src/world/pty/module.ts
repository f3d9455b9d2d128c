import { createRequire } from 'node:module';

/** A pseudo-terminal and the program in it, as node-pty represents it on Linux and macOS. */
export interface Pty {
  readonly pid: number;
  /** The leader of the foreground process group: the first word of its command line. */
  readonly process: string;
  /**
   * The descriptor of this process's side. Once `error` or `close` is called, it is closed, and its number may belong
   * to another file.
   */
  readonly fd: number;
  onData(listener: (output: string) => void): void;
  /** `signal` is 0 if no signal ended it. */
  onExit(listener: (end: { readonly exitCode: number; readonly signal?: number }) => void): void;
  on(event: 'error' | 'close', listener: () => void): void;
  pause(): void;
  resume(): void;
}

/** How to create a pseudo-terminal; `name` is the program's terminal type. */
interface PtyOptions {
  readonly name: string;
  readonly cols: number;
  readonly rows: number;
  readonly cwd: string;
  /** The program's whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The part of node-pty that is used. */
export interface PtyModule {
  spawn(file: string, args: readonly string[], options: PtyOptions): Pty;
}

/**
 * node-pty, which npm builds if possible; undefined if it is not installed or does not run on this machine. Its types
 * are declared here, so that type checks work without it.
 */
export function loadPty(): PtyModule | undefined {
  const require = createRequire(import.meta.url);
  try {
    return require('node-pty') as PtyModule;
  } catch {
    return undefined;
  }
}
