import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';

const folder = new URL('./schemas/', import.meta.url);

/**
 * A database of every schema and of every shape of an agent's snapshot that was ever on main, oldest first, by the
 * commit that brought it: each with an agent in every phase, once with a worktree and scripts and once without.
 */
export const schemaHistory: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql.gz'))
  .toSorted();

/** Puts a database of the past if there is none. */
export function writeOldDatabase(name: string, file: string): void {
  const database = new Database(file);
  // Each of its hundreds of rows is written on its own: none has to outlive a power cut.
  database.exec('pragma foreign_keys = off; pragma synchronous = off; pragma journal_mode = memory');
  database.exec(gunzipSync(readFileSync(new URL(name, folder))).toString());
  database.close();
}
