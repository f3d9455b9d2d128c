import { createContext, Script } from 'node:vm';

const holder: { work: (() => void) | undefined } = { work: undefined };
const context = createContext(holder);
const script = new Script('work()');

/**
 * Does work that awaits nothing and cuts it short once its time is up, wherever it is, also within one regular
 * expression. Undefined if it was cut short. What it throws is thrown. It costs about a quarter of a millisecond.
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

/** Work that comes within this time is done in one go, in milliseconds. */
const gatherMs = 5;

interface Piece {
  readonly begin: () => void;
  readonly giveUp: () => void;
}

/**
 * Does what `withinTime` does, for many pieces of work that come at about the same time: they share what that costs.
 */
export class TimeLimit {
  readonly #milliseconds: number;
  #pieces: Piece[] = [];

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /**
   * Returns what the work comes to, a few milliseconds from now; undefined if it was cut short. What it throws is
   * thrown.
   */
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

  /** A piece that was cut short though others had used up its time is begun again, with all of it. */
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
