import { isDatabaseFault } from '#contract/database-reason.ts';
import type { Failure } from '#contract/failure.ts';

/**
 * How long a disk fault counts after it last occurred, in milliseconds: small writes may succeed while large ones fail.
 */
const rememberedMs = 5_000;

/** Records the last fault of the database. Damage counts until the database is opened again; other faults expire. */
export class FaultMemory {
  #last: { readonly failure: Failure; readonly at: number } | undefined;
  #damage: Failure | undefined;

  /** Records an error, if it is a fault of the database. */
  note(error: unknown): void {
    if (!isDatabaseFault(error)) return;
    this.#last = { failure: error, at: performance.now() };
    if (error.isFor('DATABASE_DAMAGED')) this.#damage = error;
  }

  /** What is wrong with the database now. */
  get current(): Failure | undefined {
    const { failure, at } = this.#last ?? {};
    return this.#damage ?? (at !== undefined && performance.now() - at < rememberedMs ? failure : undefined);
  }
}
