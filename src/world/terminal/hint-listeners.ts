import type { TerminalHint, TerminalLog } from './terminal.ts';

/** The listeners to a terminal's hints. If one throws, the error is logged, and the others are called anyway. */
export class HintListeners {
  readonly #log: TerminalLog;
  readonly #listeners = new Set<(hint: TerminalHint) => void>();

  constructor(log: TerminalLog) {
    this.#log = log;
  }

  /** Adds a listener. The returned function removes it. */
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
