import { existsSync, realpathSync } from 'node:fs';
import { Failure } from '#contract/failure.ts';
import { framesOf } from './database-log.ts';
import { digestsIn, digestsOf, readDigests } from './page-digests.ts';

/** How often a page that differs is looked at, and how long after another, in milliseconds: it may just be written. */
const looks = 3;
const lookAgainMs = 60;

/** What was found of the pages of a database. */
export interface ComparedPages {
  /** How many there are. */
  readonly pages: number;
  /** How many were compared with their digest. */
  readonly compared: number;
  /** How many are in the log, and are checked by SQLite's checksums there. */
  readonly inLog: number;
  /** Those that are not what was written to them, by their places from 0. */
  readonly changed: readonly number[];
}

/** Compares each page of a database with its digest, some hundred MiB a second, also while muster writes to it. */
export function comparePages(database: string): ComparedPages {
  let last = compareOnce(database);
  for (let look = 1; look < looks && last.changed.length > 0; look += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookAgainMs);
    const next = compareOnce(database);
    last = { ...next, changed: next.changed.filter((place) => last.changed.includes(place)) };
  }
  return last;
}

/**
 * Refuses a database that is not what muster wrote.
 * @throws DATA_LOSS with the reason `DATABASE_DAMAGED`, with the pages that differ
 */
export function requirePages(database: string): void {
  const { changed, pages } = comparePages(database);
  if (changed.length > 0) throw damagedPages(database, changed, pages);
}

/**
 * The refusal of a database of which some pages are not what was written to them.
 * @param places the pages, by their places from 0
 * @param holders the tables and indexes that they belong to, as far as that is known
 */
export function damagedPages(
  database: string,
  places: readonly number[],
  pages: number,
  holders: readonly string[] = [],
): Failure {
  const shown = places.slice(0, 3).map((place) => place + 1);
  const of = holders.length > 0 ? ` of ${holders.join(', ')}` : '';
  return new Failure(
    'DATABASE_DAMAGED',
    `The database is damaged: ${places.length} of ${pages} pages of ${database} are not what muster wrote ` +
      `(page ${shown.join(', ')}${places.length > shown.length ? ' and others' : ''}${of}). Stop muster, keep the file, and ` +
      `a copy of it. If you changed it yourself or have just restored a copy, remove ${digestsOf(database)} and start again`,
  );
}

function compareOnce(database: string): ComparedPages {
  if (!existsSync(database)) return { pages: 0, compared: 0, inLog: 0, changed: [] };
  const logged = new Set<number>();
  for (const { page } of framesOf(`${realpathSync(database)}-wal`)) logged.add(page - 1);
  const noted = readDigests(database);
  const found = digestsIn(database);
  const compared = [...noted.keys()].filter((place) => noted[place] !== undefined && !logged.has(place));
  const changed = compared.filter((place) => noted[place] !== found[place]);
  return { pages: found.length, compared: compared.length, inLog: logged.size, changed };
}
