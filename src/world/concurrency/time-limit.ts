import { createContext, Script } from 'node:vm';

const holder: { work: (() => void) | undefined } = { work: undefined };
const context = createContext(holder);
const script = new Script('work()');

/**
 * Runs synchronous work and aborts it once its time is up, even within a regular expression. Returns undefined if it
 * was aborted. Exceptions are passed on. The overhead is about a quarter of a millisecond.
 */
export function withinTime<T>(milliseconds: number, work: () => T): T | undefined {
  let result: T | undefined;
  holder.work = () => {
    result = work();
  };
  try {
    script.runInContext(context, { timeout: milliseconds });
    return result;
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  } finally {
    holder.work = undefined;
  }
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

/** Work that arrives within this time is done in one batch, in milliseconds. */
const gatherMs = 5;

interface Piece {
  readonly begin: () => void;
  readonly giveUp: () => void;
}

/** Like `withinTime`, for many pieces of work that arrive at about the same time and share the overhead. */
export class TimeLimit {
  readonly #milliseconds: number;
  #pieces: Piece[] = [];

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Returns the result of the work after a few milliseconds; undefined if it was aborted. Exceptions are passed on. */
  within<T>(work: () => T): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      this.#pieces.push({ begin, giveUp: () => resolve(undefined) });
      if (this.#pieces.length === 1) setTimeout(() => this.#doAll(), gatherMs);
    });
  }

  /**
   * Runs the batch. A piece that was aborted because earlier ones had used up the time is restarted with its full time.
   */
  #doAll(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    for (let first = 0, at = 0; at < pieces.length; first = at) {
      withinTime(this.#milliseconds, () => {
        for (; at < pieces.length; at += 1) pieces[at]?.begin();
      });
      if (at === first) {
        pieces[at]?.giveUp();
        at += 1;
      }
    }
  }
}
