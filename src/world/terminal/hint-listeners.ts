import type { TerminalHint, TerminalLog } from './terminal.ts';

/** Those who listen to a terminal's hints. One that fails is logged, and the others hear anyway. */
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

  /** Nobody listens from now on. */
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
