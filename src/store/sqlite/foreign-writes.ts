import type Database from 'better-sqlite3';
import { dataVersionOf } from './native-database.ts';

/** Counts how often other programs were found to have written to a database. */
export class ForeignWrites {
  readonly #connection: Database;
  #seen: unknown;
  #count = 0;

  /** @param connection the one that writes, whose own writes do not count */
  constructor(connection: Database) {
    this.#connection = connection;
    this.#seen = dataVersionOf(connection);
  }

  count(): number {
    const now = dataVersionOf(this.#connection);
    if (now !== this.#seen) this.#count += 1;
    this.#seen = now;
    return this.#count;
  }

  /** Leaves out what another connection of this process has just written. */
  skip(): void {
    this.#seen = dataVersionOf(this.#connection);
  }
}
