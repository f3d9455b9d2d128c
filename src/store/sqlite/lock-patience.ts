import { sqliteCode } from './sqlite-fault.ts';

/** The pause between two tries, in milliseconds. */
const pauseMs = 60;

/**
 * Retries for the database's lock while another program holds it, without blocking the process: reads continue. The
 * time limit counts from when the lock was first found taken, so later writes do not wait for the whole limit again.
 */
export class LockPatience {
  #heldSince: number | undefined;

  /**
   * Does a piece of work, again while the lock is taken, for this many milliseconds.
   * @throws the database's own error once they are over.
   */
  async ask<T>(work: (begins: () => void) => Promise<T>, patienceMs: number): Promise<T> {
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
