import { realpath, rm, writeFile } from 'node:fs/promises';
import type { DatabaseReason } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import { fileFaultOf } from '#contract/file-fault.ts';

/** What a fault of the database or its disk means for the caller. */
interface Fault {
  /** What programs match. */
  readonly reason: DatabaseReason;
  /** `sqlite` is SQLite's own code of it. */
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
    'log, mount it for writing or give muster.db back to its owner, and try again',
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
    `The database or its log beside it cannot be opened (${sqlite}), nothing was written: give muster.db, muster.db-wal ` +
    'and muster.db-shm and their folder to the person who runs muster, and try again',
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

/** By the beginning of SQLite's code: the first that fits counts. */
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

/** What an error of the operating system means for the database, if it is the disk's. */
function diskFaultOf(error: unknown): Fault | undefined {
  const reason = fileFaultOf(error)?.reason;
  return diskFaults.find((fault) => fault.reason === reason);
}

/**
 * The message for an error of the database in `file`; any other error is returned unchanged. SQLite says of a disk
 * that is full or can only be read often at most that it failed, so the file system is asked as well.
 */
export async function asFailureOf(error: unknown, file: string): Promise<unknown> {
  const found = faultOf(error);
  if (found === undefined) return error;
  return failureOf(mayHideAnother.has(found) ? await faultOfDisk(file, found) : found, error);
}

/** As `asFailureOf`, by what the error alone says. */
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

/** What the file system answers to a small write next to the database; what SQLite said if it takes that. */
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

/** What the operating system said where a file next to the database could not be used; empty if it is no such error. */
function systemCode(error: unknown): string {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : '';
}

/** The refusal of a damaged database; `what` is what was found. */
export function damagedBy(what: string, cause?: unknown): Failure {
  return new Failure('DATABASE_DAMAGED', damage(what), { cause });
}

function damage(what: string): string {
  return `The database is damaged (${what}): restore a copy of it and start again`;
}

/** The refusal of a file that is no longer if it was opened. */
export function movedAway(file: string): Failure {
  return new Failure(
    'DATABASE_MOVED',
    `${file} was moved, removed or replaced while muster runs, so nothing was written: restore it under this name, or ` +
      'stop muster and restore a copy of it',
  );
}

/** SQLite's own code of an error, such as `SQLITE_BUSY`; empty if it is none of the database's. */
export function sqliteCode(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string' && one.code.startsWith('SQLITE_')) return one.code;
  }
  return '';
}
