import { closeSync, existsSync, fsyncSync, openSync, readSync, realpathSync, statSync, writeSync } from 'node:fs';
import { Failure } from '#contract/failure.ts';
import { refreshDigest } from './page-digests.ts';

/** The offset of `user_version` in SQLite's file header. */
const userVersionAt = 60;
const headerBytes = 100;

/**
 * The values of `user_version` in the file itself: in use from when it was opened until a stop has written the whole
 * log (`muster.db-wal`) to the file, then at rest.
 */
export const inUse = 1;
export const atRest = 0;

/**
 * Refuses a file that was copied without its log: it lacks everything committed since the last checkpoint, in a young
 * database everything. Reads the bytes of the file, because opening it with SQLite would create a log.
 * @throws DATA_LOSS with the reason `DATABASE_LOG_MISSING` when the log is missing
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
 * Marks a file that no program has open as at rest, if its log is gone: the last close wrote the log to the file and
 * removed it, but could not record that, for example on a full disk.
 */
export function markWhole(file: string): void {
  if (!isMarkedInUse(file) || hasLog(file)) return;
  const version = Buffer.alloc(4);
  version.writeUInt32BE(atRest);
  const opened = openSync(file, 'r+');
  try {
    // Overwriting bytes works on a full disk, too.
    writeSync(opened, version, 0, version.length, userVersionAt);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  refreshDigest(file, 0);
}

/** Whether the file itself, regardless of its log, is marked as in use. */
export function isMarkedInUse(file: string): boolean {
  return headerOf(file)?.readUInt32BE(userVersionAt) === inUse;
}

function hasLog(file: string): boolean {
  return existsSync(`${realpathSync(file)}-wal`);
}

/** The header of a database file; undefined if there is no such file or it is too short. */
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
