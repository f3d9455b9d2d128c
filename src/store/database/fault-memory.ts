import { isDatabaseFault } from '#contract/database-reason.ts';
import type { Failure } from '#contract/failure.ts';

/**
 * For how long a fault of the disk counts after it was last met, in milliseconds: small writes may continue where large
 * ones fail.
 */
const rememberedMs = 5_000;

/** What the database failed with. Damage counts until it is opened again; all else passes. */
export class FaultMemory {
  #last: { readonly failure: Failure; readonly at: number } | undefined;
  #damage: Failure | undefined;

  /** Notes what a piece of work failed with, if that is a fault of the database. */
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
