import Database from 'better-sqlite3';
import { damagedBy } from './sqlite-fault.ts';
import { atRest } from './whole-file.ts';

/** How long it waits for a program that locks the database, in milliseconds. */
const patienceMs = 5_000;

/**
 * Writes a copy of a SQLite database as of one moment, also while a registry writes to it, and checks the copy. The
 * database itself is only read.
 * @param copy a path at which nothing is
 * @throws DATABASE_DAMAGED when the copy is not sound
 */
export function copyDatabase(file: string, copy: string): void {
  const source = new Database(file, { readonly: true, timeout: patienceMs });
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
