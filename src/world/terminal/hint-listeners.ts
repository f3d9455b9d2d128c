import type { TerminalHint, TerminalLog } from './terminal.ts';

/** The listeners to a terminal's hints. If one fails, that is logged and the others are called all the same. */
export class HintListeners {
  readonly #log: TerminalLog;
  readonly #listeners = new Set<(hint: TerminalHint) => void>();

  constructor(log: TerminalLog) {
    this.#log = log;
  }

  /** Adds a listener; the returned function takes it away. */
  add(listener: (hint: TerminalHint) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners.clear();
  }

  notify(hint: TerminalHint): void {
    for (const listener of this.#listeners) {
      try {
        listener(hint);
      } catch (error) {
        this.#log('a listener to hints failed', { hint, error });
      }
    }
  }
}
