import { realpath, rm, writeFile } from 'node:fs/promises';
import type { DatabaseReason } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import { fileFaultOf } from '#contract/file-fault.ts';

/** The meaning of a fault of the database or its disk for the caller. */
interface Fault {
  /** The reason that programs match. */
  readonly reason: DatabaseReason;
  /** The message; `sqlite` is SQLite's error code. */
  readonly words: (sqlite: string) => string;
}

const full: Fault = {
  reason: 'DISK_FULL',
  words: () => 'The disk is full, so nothing was written: make room and try again',
};
const readOnly: Fault = {
  reason: 'DATABASE_READ_ONLY',
  words: (sqlite) =>
    `The database or its file system can only be read (${sqlite}), nothing was written: find the cause in the kernel's ` +
    'log, mount it for writing or restore the owner of muster.db, and try again',
};
const failed: Fault = {
  reason: 'DISK_FAILED',
  words: (sqlite) =>
    `The disk failed to read or write the database (${sqlite}), nothing was written: see the kernel's log, repair or ` +
    'replace the disk, and try again',
};
const closed: Fault = {
  reason: 'DATABASE_CANNOT_OPEN',
  words: (sqlite) =>
    `The database or the log next to it cannot be opened (${sqlite}), nothing was written: make the user that runs muster ` +
    'the owner of muster.db, muster.db-wal, muster.db-shm and their folder, and try again',
};
const damaged: Fault = {
  reason: 'DATABASE_DAMAGED',
  words: (sqlite) => damage(sqlite),
};
const held: Fault = {
  reason: 'DATABASE_BUSY',
  words: () => 'Another program has locked the database, so nothing was written: end it and try again',
};
const memory: Fault = {
  reason: 'OUT_OF_MEMORY',
  words: () => 'There is no memory left for the database, so nothing was written: end some programs and try again',
};

/** By the prefix of SQLite's code; the first match counts. */
const faults: readonly (readonly [start: string, fault: Fault])[] = [
  ['SQLITE_FULL', full],
  ['SQLITE_IOERR_DATA', damaged],
  ['SQLITE_IOERR_CORRUPTFS', damaged],
  ['SQLITE_IOERR_NOMEM', memory],
  ['SQLITE_IOERR_LOCK', held],
  ['SQLITE_IOERR_UNLOCK', held],
  ['SQLITE_IOERR_BLOCKED', held],
  ['SQLITE_IOERR', failed],
  ['SQLITE_READONLY', readOnly],
  ['SQLITE_CANTOPEN', closed],
  ['SQLITE_PERM', closed],
  ['SQLITE_AUTH', closed],
  ['SQLITE_CORRUPT', damaged],
  ['SQLITE_NOTADB', damaged],
  ['SQLITE_BUSY', held],
  ['SQLITE_LOCKED', held],
  ['SQLITE_PROTOCOL', held],
  ['SQLITE_NOMEM', memory],
];

const diskFaults: readonly Fault[] = [readOnly, full, failed];

/** The fault that an error of the operating system means, if it is about the disk. */
function diskFaultOf(error: unknown): Fault | undefined {
  const reason = fileFaultOf(error)?.reason;
  return diskFaults.find((fault) => fault.reason === reason);
}

/**
 * The failure for an error of the database in `file`; any other error is returned unchanged. If a disk is full or
 * read-only, SQLite often reports only that it failed, so this also tries a small write.
 */
export async function asFailureOf(error: unknown, file: string): Promise<unknown> {
  const found = faultOf(error);
  if (found === undefined) return error;
  return failureOf(mayHideAnother.has(found) ? await faultOfDisk(file, found) : found, error);
}

/** As `asFailureOf`, but judged by the error alone. */
export function asFailure(error: unknown): unknown {
  const found = faultOf(error);
  return found === undefined ? error : failureOf(found, error);
}

function faultOf(error: unknown): Fault | undefined {
  const sqlite = sqliteCode(error);
  const [, found = diskFaultOf(error)] = faults.find(([start]) => sqlite.startsWith(start)) ?? [];
  return found;
}

function failureOf({ reason, words }: Fault, cause: unknown): Failure {
  return new Failure(reason, words(sqliteCode(cause) || systemCode(cause)), { cause });
}

const mayHideAnother: ReadonlySet<Fault> = new Set([failed, closed, readOnly]);

/** The fault of a small write next to the database; `known` if that write succeeds. */
async function faultOfDisk(file: string, known: Fault): Promise<Fault> {
  const trial = `${await realpath(file).catch(() => file)}.trial`;
  try {
    await writeFile(trial, 'x', { mode: 0o600, flush: true });
    return known;
  } catch (error) {
    return diskFaultOf(error) ?? known;
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

/** The operating system's code of an error, such as `ENOSPC`; empty if it is not the operating system's. */
function systemCode(error: unknown): string {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : '';
}

/** The failure for a damaged database; `what` describes the damage. */
export function damagedBy(what: string, cause?: unknown): Failure {
  return new Failure('DATABASE_DAMAGED', damage(what), { cause });
}

function damage(what: string): string {
  return `The database is damaged (${what}): restore a copy of it and start again`;
}

/** The failure for commits of which nobody knows whether they are stored, because the disk did not confirm them. */
export function unsynced(cause: unknown): Failure {
  return new Failure(
    'DISK_FAILED',
    `The disk did not store what was written last (${systemCode(cause)}), so it may or may not be there after a restart: ` +
      "see the kernel's log, repair or replace the disk, and start muster again",
    { cause },
  );
}

/** The failure for writes after that. */
export function notWritten(earlier: Failure): Failure {
  return new Failure(
    'DISK_FAILED',
    "The disk failed to store an earlier write, so nothing was written: see the kernel's log, repair or replace the disk, " +
      'and start muster again',
    { cause: earlier },
  );
}

/** The failure for a file that is no longer where it was opened. */
export function movedAway(file: string): Failure {
  return new Failure(
    'DATABASE_MOVED',
    `${file} was moved, removed or replaced while muster runs, so nothing was written: restore it under this name, or ` +
      'stop muster and restore a copy of it',
  );
}

/** SQLite's code of an error, such as `SQLITE_BUSY`; empty if it is not SQLite's. */
export function sqliteCode(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string' && one.code.startsWith('SQLITE_')) return one.code;
  }
  return '';
}
