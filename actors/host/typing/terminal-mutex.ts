import { withMutex } from '#world/concurrency/mutex.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';

/**
 * Does a piece of work on a family's terminal when everything asked for earlier has ended. What starts, finds or ends a
 * terminal takes its turn, so that nobody is handed one that is just ending, or starts one again that nobody ends.
 */
export function withTerminal<T>(family: string, work: () => Promise<T>): Promise<T> {
  return withMutex(`terminal ${family}`, work);
}

/** The family's terminal; undefined if none runs: looking for it starts none. */
export function runningTerminal(terminals: Terminals, family: string): Promise<Terminal | undefined> {
  return withTerminal(family, () => terminals.find(family));
}
