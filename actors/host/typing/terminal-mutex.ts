import { withMutex } from '#world/concurrency/mutex.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';

/**
 * Runs `work` with exclusive access to a family's terminal. Starting, finding and ending a terminal need it, so that no
 * caller gets a terminal that is just ending, and no terminal is started that would never be ended.
 */
export function withTerminal<T>(family: string, work: () => Promise<T>): Promise<T> {
  return withMutex(`terminal ${family}`, work);
}

/** The family's terminal; undefined if none is running. Never starts one. */
export function runningTerminal(terminals: Terminals, family: string): Promise<Terminal | undefined> {
  return withTerminal(family, () => terminals.find(family));
}
