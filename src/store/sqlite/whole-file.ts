import { closeSync, existsSync, fsyncSync, openSync, readSync, realpathSync, statSync, writeSync } from 'node:fs';
import { Failure } from '#contract/failure.ts';
import { noteAnew } from './page-digests.ts';

/** Where SQLite's file header holds `user_version`. */
const userVersionAt = 60;
const headerBytes = 100;

/**
 * What `user_version` of the file itself says: in use, from when it was opened until a stop has brought everything that
 * stood in the log (`muster.db-wal`) into the file.
 */
export const inUse = 1;
export const atRest = 0;

/**
 * Refuses a file that is a copy without the log beside it: what had been accepted since the last checkpoint is missing
 * there, in a young database all of it. It is decided from the bytes alone: to open it would make a log that looks as
 * if it had been there.
 * @throws DATA_LOSS with the reason `DATABASE_LOG_MISSING`
 */
export function requireWhole(file: string): void {
  const header = headerOf(file);
  if (header === undefined || hasLog(file)) return;
  const isEmpty = statSync(file).size <= pageBytes(header);
  if (header.readUInt32BE(userVersionAt) !== inUse && !isEmpty) return;
  const found = isEmpty ? 'is empty without its log' : 'was in use when muster last ran or when it was copied';
  throw new Failure(
    'DATABASE_LOG_MISSING',
    `${file} ${found}, and its log ${file}-wal is missing: it has the latest changes. Restore the log next to it, ` +
      'or restore a copy that was made while muster was stopped. If you know that nothing is missing, as when ' +
      `sqlite3's .backup made it, or after a repair, run: sqlite3 ${file} 'pragma user_version = ${atRest}'; to start over, move the file away`,
  );
}

/**
 * Notes in a file that nobody has open that all of it is there: whoever closed it last brought the log into it and took
 * it away, and could not say so, as on a full disk. Where the log is still there nothing is noted.
 */
export function noteWhole(file: string): void {
  if (!saysInUse(file) || hasLog(file)) return;
  const version = Buffer.alloc(4);
  version.writeUInt32BE(atRest);
  const opened = openSync(file, 'r+');
  try {
    // In its place, which takes no room.
    writeSync(opened, version, 0, version.length, userVersionAt);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  noteAnew(file, 0);
}

/** Whether the file itself says that it is in use, and not only the log. */
export function saysInUse(file: string): boolean {
  return headerOf(file)?.readUInt32BE(userVersionAt) === inUse;
}

function hasLog(file: string): boolean {
  return existsSync(`${realpathSync(file)}-wal`);
}

/** The header of a database; undefined if the file has none. */
function headerOf(file: string): Buffer | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size < headerBytes) return undefined;
  const header = Buffer.alloc(headerBytes);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, header, 0, headerBytes, 0);
  } finally {
    closeSync(opened);
  }
  return header;
}

function pageBytes(header: Buffer): number {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}
