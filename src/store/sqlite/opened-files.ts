import { realpathSync, statSync } from 'node:fs';
import { movedAway } from './sqlite-fault.ts';

/** The files of an open database: SQLite's file and its log. */
export class OpenedFiles {
  readonly #paths: readonly string[];
  readonly #inodes = new Map<string, number>();

  /** @param database an existing file */
  constructor(database: string) {
    const path = realpathSync(database);
    this.#paths = [path, `${path}-wal`];
    this.requireSame();
  }

  /**
   * Refuses a write if the database or its log was moved, removed or replaced: SQLite would keep writing to the old
   * file, and the next start would not find what was committed since.
   * @throws DATA_LOSS with the reason `DATABASE_MOVED`
   */
  requireSame(): void {
    for (const path of this.#paths) {
      const now = statSync(path, { throwIfNoEntry: false })?.ino;
      const before = this.#inodes.get(path);
      if (before !== undefined && before !== now) throw movedAway(path);
      if (now !== undefined) this.#inodes.set(path, now);
    }
  }
}
