import type { DatabaseReason } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';

/** The meaning of a database fault for the caller. */
interface Fault {
  /** The reason that programs match. */
  readonly reason: DatabaseReason;
  /** The label under which metrics count it. */
  readonly kind: string;
  /** The message; `said` is that of PostgreSQL or the operating system. */
  readonly words: (said: string, database: string) => string;
}

const away: Fault = {
  reason: 'DATABASE_UNAVAILABLE',
  kind: 'unavailable',
  words: (said, database) =>
    `PostgreSQL does not answer for ${database} (${said}), so nothing was written: check that the server runs and ` +
    'that MUSTER_DATABASE_URL names it, and try again',
};
const unknown: Fault = {
  reason: 'COMMIT_UNKNOWN',
  kind: 'unknown',
  words: (said, database) =>
    `The connection to ${database} was lost during a commit (${said}), so the request may or may not have been carried ` +
    'out: check before you repeat it',
};
const contended: Fault = {
  reason: 'DATABASE_CONTENDED',
  kind: 'contended',
  words: (said) => `Other transactions kept changing the same rows (${said}), so nothing was written: try again`,
};
const readOnly: Fault = {
  reason: 'DATABASE_READ_ONLY',
  kind: 'read_only',
  words: (said, database) =>
    `PostgreSQL can only be read at ${database} (${said}), so nothing was written: promote the server, or name the ` +
    'primary in MUSTER_DATABASE_URL',
};
const full: Fault = {
  reason: 'DISK_FULL',
  kind: 'full',
  words: (said) => `The disk of PostgreSQL is full (${said}), so nothing was written: make room there and try again`,
};
const memory: Fault = {
  reason: 'OUT_OF_MEMORY',
  kind: 'nomem',
  words: (said) => `PostgreSQL has no memory left (${said}), so nothing was written: give it more and try again`,
};
const failed: Fault = {
  reason: 'DISK_FAILED',
  kind: 'ioerr',
  words: (said) =>
    `PostgreSQL failed to read or write its disk (${said}), so nothing was written: see its log and its disk`,
};
const damaged: Fault = {
  reason: 'DATABASE_DAMAGED',
  kind: 'corrupt',
  words: (said, database) => `PostgreSQL reports that ${database} is damaged (${said}): restore a backup of it`,
};
const unsuitable: Fault = {
  reason: 'DATABASE_UNSUITABLE',
  kind: 'unsuitable',
  words: (said, database) =>
    `muster cannot use ${database} (${said}): change MUSTER_DATABASE_URL, its password or its certificates, or give that ` +
    'user the database',
};

/** By the prefix of the SQLSTATE; the first match counts. */
const faults: readonly (readonly [start: string, fault: Fault])[] = [
  ['40', contended],
  ['55P03', contended],
  ['25006', readOnly],
  ['53100', full],
  ['53200', memory],
  ['53', away],
  ['57', away],
  ['08', away],
  ['58', failed],
  ['XX001', damaged],
  ['XX002', damaged],
  ['28', unsuitable],
  ['3D000', unsuitable],
  ['3F000', unsuitable],
  ['42501', unsuitable],
];

/** Whether a transaction conflicted with another one, so that a retry may succeed. */
export function isContended(error: unknown): boolean {
  return faultOf(error) === contended;
}

/**
 * Whether a row violates a unique constraint. Another registry may have inserted the other row after this transaction
 * had looked for it; a retry then finds it.
 */
export function isDuplicate(error: unknown): boolean {
  return stateOf(causesOf(error)) === '23505';
}

/** The failure for an error of `database`; any other error is returned unchanged. */
export function asPostgresFailure(error: unknown, database: string): unknown {
  const fault = faultOf(error);
  return fault === undefined ? error : new Failure(fault.reason, fault.words(said(error), database), { cause: error });
}

/** The kind of a database fault; undefined if the error is not the database's. */
export function kindOfFault(error: unknown): string | undefined {
  return faultOf(error)?.kind;
}

function faultOf(error: unknown): Fault | undefined {
  const causes = causesOf(error);
  if (causes.some((one) => 'isUnknownCommit' in one)) return unknown;
  const state = stateOf(causes);
  const [, fault] = faults.find(([start]) => state?.startsWith(start)) ?? [];
  if (fault !== undefined) return fault;
  if (!causes.some((one) => 'isLostConnection' in one)) return undefined;
  return causes.some(isTlsFault) ? unsuitable : away;
}

/** The SQLSTATE that the server gave, if it did. */
function stateOf(causes: readonly Error[]): string | undefined {
  const codes = causes.map((one) => ('code' in one ? one.code : undefined));
  return codes.find(
    (code): code is string => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code),
  );
}

/** Whether TLS failed: the server's certificate is not trusted, or the server does not support TLS. */
function isTlsFault(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return /CERT|SSL|TLS|LEAF_SIGNATURE/.test(code) || error.message.includes('does not support SSL');
}

/** The first line of the innermost error, with its code. */
function said(error: unknown): string {
  const inner = causesOf(error).at(-1);
  if (inner === undefined) return String(error);
  const [words = ''] = (inner.message || inner.name).split('\n');
  return 'code' in inner && !words.includes(String(inner.code)) ? `${String(inner.code)}: ${words}` : words;
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error; one = one.cause) causes.push(one);
  return causes;
}
