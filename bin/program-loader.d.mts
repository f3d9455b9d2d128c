/** What runs: a command, or a process of muster. */
export interface BundleUse {
  /** Its compiled code is kept by this name. */
  readonly name: string;
  /** How long after its start a process keeps the code, in milliseconds, unless it ends before; a command does at its end. */
  readonly startMs?: number;
}

/**
 * Runs the main module of a bundle, which is CommonJS. Below the folder `cache` is the compiled code of each command and
 * process, made by an earlier run of it; if it cannot be read or written, the program only starts more slowly.
 */
export function runBundle(main: string, cache: string, use: BundleUse): void;
