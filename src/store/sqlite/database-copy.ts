import Database from 'better-sqlite3';
import { damagedBy } from './sqlite-fault.ts';
import { atRest } from './whole-file.ts';

/** How long to wait for a program that locks the database, in milliseconds. */
const lockTimeoutMs = 5_000;

/**
 * Writes a consistent copy of a SQLite database, and checks the copy. A registry may be writing to the database, which
 * is only read.
 * @param copy a path that does not exist
 * @throws DATA_LOSS with the reason `DATABASE_DAMAGED` when the copy is damaged
 */
export function copyDatabase(file: string, copy: string): void {
  const source = new Database(file, { readonly: true, timeout: lockTimeoutMs });
  try {
    source.prepare('vacuum into ?').run([copy]);
  } finally {
    source.close();
  }
  const made = new Database(copy);
  try {
    const found = made.pragma('integrity_check(1)', { simple: true });
    if (found !== 'ok') throw damagedBy(`${file}: ${String(found)}`);
    made.exec(`pragma user_version = ${atRest}`);
  } finally {
    made.close();
  }
}
