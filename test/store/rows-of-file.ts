import Database from 'better-sqlite3';
import type { StoredRow } from './test-database.ts';

/**
 * Reads a database that a store of this process may have open, with the store's own library: locks on a file belong to
 * a process, so another copy of SQLite in it would think itself alone and cut off the index of the log that is in use.
 */
export function lookInFile<T>(file: string, work: (rowsOf: (query: string) => StoredRow[]) => T): T {
  const database = new Database(file, { readonly: true, timeout: 5_000 });
  try {
    return work((query) => database.prepare(query).all([]));
  } finally {
    database.close();
  }
}

/** The rows of one query, as `lookInFile`. */
export function rowsOfFile(file: string, query: string): StoredRow[] {
  return lookInFile(file, (rowsOf) => rowsOf(query));
}
