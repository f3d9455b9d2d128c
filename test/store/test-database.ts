import type { Engine } from '#store/database/engine.ts';

export type StoredRow = Record<string, unknown>;

/** A database of one test, with its tables and without a row. */
export interface TestDatabase {
  /** A new engine for each opening. */
  engine(): Engine;
  /** All rows of a table. */
  rowsIn(table: string): Promise<StoredRow[]>;
  /** All rows of each of its tables, by name. */
  everyRow(): Promise<Readonly<Record<string, StoredRow[]>>>;
  /** All that it holds as one text, in which to look for what must not be there. */
  content(): Promise<string>;
  /** Ends its use by this test: it is dropped, or emptied for another one. */
  drop(): Promise<void>;
}
