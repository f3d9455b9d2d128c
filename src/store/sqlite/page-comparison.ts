import { existsSync, realpathSync } from 'node:fs';
import { Failure } from '#contract/failure.ts';
import { framesOf } from './database-log.ts';
import { digestsIn, digestsPath, readDigests } from './page-digests.ts';

/**
 * How many times pages that differ are read, and the pause before they are read again, in milliseconds: muster may be
 * writing them.
 */
const maxReads = 3;
const rereadAfterMs = 60;

/** The result of comparing the pages of a database with their digests. */
export interface ComparedPages {
  /** How many pages the file has. */
  readonly pages: number;
  /** How many were compared with their digest. */
  readonly compared: number;
  /** How many are in the log, where SQLite's checksums protect them. */
  readonly inLog: number;
  /** The indexes, from 0, of the pages that are not as muster wrote them. */
  readonly changed: readonly number[];
}

/** Compares each page of a database with its digest, some hundred MiB a second. Muster may be writing to it. */
export function comparePages(database: string): ComparedPages {
  let last = compareOnce(database);
  for (let reads = 1; reads < maxReads && last.changed.length > 0; reads += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, rereadAfterMs);
    const next = compareOnce(database);
    last = { ...next, changed: next.changed.filter((place) => last.changed.includes(place)) };
  }
  return last;
}

/**
 * Checks that the pages of a database are as muster wrote them.
 * @throws DATA_LOSS with the reason `DATABASE_DAMAGED` when some are not
 */
export function requirePages(database: string): void {
  const { changed, pages } = comparePages(database);
  if (changed.length > 0) throw damagedPages(database, changed, pages);
}

/**
 * The failure for a database with damaged pages.
 * @param places the indexes of the damaged pages, from 0
 * @param pages how many pages the database has
 * @param holders the tables and indexes that the damaged pages belong to, if known
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
    `The database is damaged: ${places.length} of ${pages} pages of ${database} are not as muster wrote them ` +
      `(page ${shown.join(', ')}${places.length > shown.length ? ' and others' : ''}${of}). Stop muster, keep the file, and ` +
      `restore a backup. If you changed the file yourself or have just restored it, remove ${digestsPath(database)} and start again`,
  );
}

function compareOnce(database: string): ComparedPages {
  if (!existsSync(database)) return { pages: 0, compared: 0, inLog: 0, changed: [] };
  const logged = new Set<number>();
  for (const { page } of framesOf(`${realpathSync(database)}-wal`)) logged.add(page - 1);
  const expected = readDigests(database);
  const found = digestsIn(database);
  const compared = [...expected.keys()].filter((place) => expected[place] !== undefined && !logged.has(place));
  const changed = compared.filter((place) => expected[place] !== found[place]);
  return { pages: found.length, compared: compared.length, inLog: logged.size, changed };
}
