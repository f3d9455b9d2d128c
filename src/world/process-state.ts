import { closeSync, openSync, readSync } from 'node:fs';

/** The state of a process that other processes can see. */
export interface ProcessState {
  /** Whether it waits for something to happen: it is neither working nor stopped. */
  readonly waits: boolean;
  /** The number of the terminal that it belongs to; 0 without one, and once that terminal has hung up. */
  readonly terminal: string;
}

/** Whether this system shows a process's state at almost no cost. */
export const showsProcessState = process.platform === 'linux';

const line = Buffer.alloc(1024);

/** Watches one process. It never mistakes a later process with the same pid for it. */
export class ProcessWatch {
  readonly pid: number;
  /** The system's file on exactly this process; undefined if it could not be opened or is closed. */
  #file: number | undefined;

  constructor(pid: number) {
    this.pid = pid;
    try {
      if (showsProcessState) this.#file = openSync(`/proc/${pid}/stat`, 'r');
    } catch {
      // It has ended, or this process has too many open files. Either way, nothing is known about it.
    }
  }

  /** Reads its state, in about 5 µs; undefined if the process has ended or nothing is known about it. */
  read(): ProcessState | undefined {
    const stat = this.#read();
    // The name is in brackets and may itself contain spaces and brackets, so the fields begin after the last one.
    const [state, , , , terminal = ''] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ', 5) ?? [];
    if (state === undefined || state === 'Z' || state === 'X') return undefined;
    return { waits: state === 'S', terminal };
  }

  /** Stops watching. The state of the process is unknown from then on. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #read(): string | undefined {
    if (this.#file === undefined) return undefined;
    try {
      return line.toString('latin1', 0, readSync(this.#file, line, 0, line.length, 0));
    } catch {
      return undefined;
    }
  }
}
