import { Failure } from './failure.ts';

/** The closed list of reasons why the database or its disk failed a request. */
export const databaseReasons = [
  'DISK_FULL',
  'DISK_FAILED',
  'DATABASE_READ_ONLY',
  'DATABASE_CANNOT_OPEN',
  'DATABASE_DAMAGED',
  'DATABASE_MOVED',
  'DATABASE_LOG_MISSING',
  'DATABASE_BUSY',
  'DATABASE_UNAVAILABLE',
  'DATABASE_CONTENDED',
  'DATABASE_UNSUITABLE',
  'COMMIT_UNKNOWN',
  'OUT_OF_MEMORY',
] as const;
export type DatabaseReason = (typeof databaseReasons)[number];

const known: ReadonlySet<string> = new Set(databaseReasons);

/** Whether the database or its disk caused a failure, and not the request: a retry may succeed. */
export function isDatabaseFault(error: unknown): error is Failure {
  return error instanceof Failure && isDatabaseReason(error.reason);
}

/** Whether a reason blames the database or its disk. */
export function isDatabaseReason(reason: string): reason is DatabaseReason {
  return known.has(reason);
}
