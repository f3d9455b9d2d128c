import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { Failure } from '#contract/failure.ts';
import { writePrivateFile } from './private-file.ts';

const pageBytes = 4096;
/** How many pages are read at a time. */
const atOnce = 256;

const digestsOf = (database: string): string => `${database}-digests`;

/**
 * Notes a digest of each page of a database that nobody has open and whose log was brought into it. A CRC of 32 bits tells every
 * single bit that changes, and all but one of four thousand million other changes of a page.
 */
export function notePages(database: string): void {
  const path = existsSync(database) ? realpathSync(database) : database;
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (!existsSync(path) || (log !== undefined && log.size > 0)) return;
  writePrivateFile(digestsOf(database), `${digestsIn(path).join('\n')}\n`);
}

/** Forgets the digests: from now on pages change. */
export function forgetPages(database: string): void {
  rmSync(digestsOf(database), { force: true });
}

/**
 * Compares a database with the digests that the last stop left, some hundred MiB a second. Gives whether there were any: there
 * are none while muster runs, and none after it was killed.
 * @throws Failure `data_loss` with the reason `DATABASE_DAMAGED` where a page is not what it was
 */
export function checkPages(database: string): boolean {
  const file = digestsOf(database);
  if (!existsSync(file) || !existsSync(database)) return false;
  const noted = readFileSync(file, 'utf8').trimEnd().split('\n');
  const found = digestsIn(database);
  const changed = Array.from({ length: Math.max(noted.length, found.length) }, (_, page) => page).filter(
    (page) => noted[page] !== found[page],
  );
  if (changed.length === 0) return true;
  const pages = changed.slice(0, 3).map((page) => page + 1);
  throw new Failure(
    'data_loss',
    `The database is damaged: ${changed.length} of ${noted.length} pages of ${database} are not what muster left when it stopped ` +
      `(page ${pages.join(', ')}${changed.length > pages.length ? ' and others' : ''}). Put back a copy of it; if you changed it ` +
      `yourself or have just put a copy back, remove ${file} and start again`,
    { reason: 'DATABASE_DAMAGED' },
  );
}

function digestsIn(path: string): string[] {
  const digests: string[] = [];
  const buffer = Buffer.alloc(pageBytes * atOnce);
  const opened = openSync(path, 'r');
  try {
    for (;;) {
      const read = readSync(opened, buffer, 0, buffer.length, null);
      if (read === 0) return digests;
      for (let at = 0; at < read; at += pageBytes) {
        digests.push(crc32(buffer.subarray(at, Math.min(at + pageBytes, read))).toString(16));
      }
    }
  } finally {
    closeSync(opened);
  }
}
