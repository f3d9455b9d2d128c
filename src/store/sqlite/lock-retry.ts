import { sqliteCode } from './sqlite-fault.ts';

/** The pause between two attempts, in milliseconds. */
const pauseMs = 60;

/**
 * Retries work while another program holds the database's lock, without blocking the process: reads continue. The time
 * limit counts from when the lock was first found held, so later writes do not wait for the whole limit again.
 */
export class LockRetry {
  #heldSince: number | undefined;

  /**
   * Runs work, and retries it while the lock is held, for at most `patienceMs` milliseconds.
   * @param work calls `begins` once it holds the lock; after that it is not retried
   * @throws as `work`; the database's own error when the time is over
   */
  async run<T>(work: (begins: () => void) => Promise<T>, patienceMs: number): Promise<T> {
    for (;;) {
      let hasBegun = false;
      try {
        const done = await work(() => {
          hasBegun = true;
          this.#heldSince = undefined;
        });
        return done;
      } catch (error) {
        if (hasBegun || !sqliteCode(error).startsWith('SQLITE_BUSY')) throw error;
        this.#heldSince ??= performance.now();
        if (performance.now() - this.#heldSince > patienceMs) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
