import { alone } from '#world/concurrency/alone.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';

/**
 * Does a piece of work on a family's terminal when everything asked for earlier has ended. What starts, finds or ends a
 * terminal takes its turn, so that nobody is handed one that is just ending, or starts one anew that nobody ends.
 */
export function inTurn<T>(family: string, work: () => Promise<T>): Promise<T> {
  return alone(`terminal ${family}`, work);
}

/** The family's terminal; undefined where none runs: looking for it starts none. */
export function runningTerminal(terminals: Terminals, family: string): Promise<Terminal | undefined> {
  return inTurn(family, () => terminals.find(family));
}
