import { Failure } from './failure.ts';

/** Why the database or its disk fails whoever asks, as programs match it: the closed list. */
export const databaseReasons = [
  'DISK_FULL',
  'DISK_FAILED',
  'DATABASE_READ_ONLY',
  'DATABASE_CANNOT_OPEN',
  'DATABASE_DAMAGED',
  'DATABASE_MOVED',
  'DATABASE_LOG_MISSING',
  'DATABASE_BUSY',
  'OUT_OF_MEMORY',
] as const;
export type DatabaseReason = (typeof databaseReasons)[number];

const known: ReadonlySet<string> = new Set(databaseReasons);

/** Whether a failure tells of the database or its disk and not of what was asked, so that the same may be accepted later. */
export function isDatabaseFault(error: unknown): error is Failure {
  return error instanceof Failure && error.reason !== undefined && known.has(error.reason);
}
