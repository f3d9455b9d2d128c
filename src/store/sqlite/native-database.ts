import { chmodSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Failure } from '#contract/failure.ts';
import type { Statement, StatementResult } from '#store/database/statement.ts';
import { damagedBy } from './sqlite-fault.ts';

type Row = StatementResult['rows'][number];
type PreparedStatement = ReturnType<Database['prepare']>;

/** The statements that begin and end a transaction that reads. */
export const begin: Statement = { sql: 'begin', parameters: [] };
/** Takes the database's lock at once, so that no transaction fails halfway because another program holds it. */
export const beginToWrite: Statement = { sql: 'begin immediate', parameters: [] };
export const commit: Statement = { sql: 'commit', parameters: [] };
const rollback: Statement = { sql: 'rollback', parameters: [] };

/** How many compiled statements a connection keeps: more than muster uses, apart from lists of many lengths. */
const maxStatements = 500;

/** The compiled statements of each connection. SQLite recompiles those that a change of the schema made stale. */
const statements = new WeakMap<Database, Map<string, PreparedStatement>>();

/** Keeps temporary tables and indexes in memory, not in files of the shared temporary folder. */
const tempStore = { name: 'temp_store', value: 'MEMORY', reads: 2n } as const;

/** The settings with which a checkpoint is durable, each with the value that is read back. */
const checkpointSettings = [
  { name: 'journal_mode', value: 'WAL', reads: 'wal' },
  { name: 'synchronous', value: 'FULL', reads: 2n },
  { name: 'busy_timeout', value: '5000', reads: 5000n },
  { name: 'wal_autocheckpoint', value: '0', reads: 0n },
  tempStore,
] as const;

/**
 * With these, a commit is atomic whatever happens, and durable once `LogSync` has synced the log. SQLite itself syncs
 * only the log's header, when it restarts the log.
 */
const writerSettings = [
  { name: 'journal_mode', value: 'WAL', reads: 'wal' },
  { name: 'synchronous', value: 'NORMAL', reads: 1n },
  { name: 'busy_timeout', value: '5000', reads: 5000n },
  { name: 'foreign_keys', value: 'ON', reads: 1n },
  { name: 'wal_autocheckpoint', value: '0', reads: 0n },
  tempStore,
] as const;

/** A read rarely meets a lock. If it does, it must not block the process for long. */
const readerSettings = [
  { name: 'query_only', value: 'ON', reads: 1n },
  { name: 'busy_timeout', value: '20', reads: 20n },
  tempStore,
] as const;

/**
 * Opens the connection that runs checkpoints. It creates the file if necessary, and checks it.
 * @throws DATA_LOSS when the file is damaged, INTERNAL when it cannot be made durable; SQLite's own errors
 */
export function openToCheckpoint(file: string): Database {
  return configured(file, (database) => {
    configure(database, checkpointSettings);
    if ((statSync(file).mode & 0o777) !== 0o600) chmodSync(file, 0o600);
    const check = database.pragma('quick_check', { simple: true });
    if (check !== 'ok') throw damagedBy(`quick_check says: ${check}`);
  });
}

/**
 * Opens the connection that writes. The database must already be open for checkpoints.
 * @throws INTERNAL when it cannot be made durable; SQLite's own errors
 */
export function openToWrite(file: string): Database {
  return configured(file, (database) => configure(database, writerSettings));
}

function configured(file: string, prepare: (database: Database) => void): Database {
  const database = new Database(file);
  try {
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reads anything. */
export const anyRead: Statement = { sql: 'select 1 from sqlite_schema limit 1', parameters: [] };

/** Opens a connection that can only read. The database must already be open for checkpoints. */
export function openToRead(file: string): Database {
  return configured(file, readOnly);
}

/** Makes a connection read-only. The database must already be open for checkpoints. */
export function readOnly(database: Database): void {
  configure(database, readerSettings);
}

function configure(
  database: Database,
  settings: typeof checkpointSettings | typeof writerSettings | typeof readerSettings,
): void {
  database.defaultSafeIntegers(true);
  for (const { name, value } of settings) database.pragma(`${name} = ${value}`);
  for (const { name, reads } of settings) {
    const read = database.pragma(name, { simple: true });
    if (read === reads) continue;
    throw new Failure('INTERNAL', `${database.name} cannot be made durable: ${name} reads ${read} instead of ${reads}`);
  }
}

/** A value as better-sqlite3 binds it: it binds every number as a float, and SQLite has no booleans. */
export function bound(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** Runs a statement. Integers are read as BigInt; those that a number can hold exactly become numbers. */
export function run(database: Database, { sql, parameters }: Statement): StatementResult {
  const statement = prepared(database, sql);
  if (statement.reader) return { rows: statement.all(parameters).map(narrow) };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { rows: [], insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes) };
}

/** Returns the compiled statement of a text. The same texts recur, and compiling takes longer than most statements. */
function prepared(database: Database, sql: string): PreparedStatement {
  const known = statements.get(database) ?? new Map<string, PreparedStatement>();
  statements.set(database, known);
  const compiled = known.get(sql);
  if (compiled !== undefined && known.size < maxStatements) return compiled;
  // Once there is no room, the most recently used statement is last, so the first one is evicted.
  const statement = compiled ?? database.prepare(sql);
  known.delete(sql);
  known.set(sql, statement);
  const [oldest] = known.size > maxStatements ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
  return statement;
}

/** Rolls back the transaction of a connection, if one is open. */
export function endAny(database: Database): void {
  if (database.inTransaction) run(database, rollback);
}

/**
 * Opens a connection to a file that this process has open. SQLite neither writes the log to the file nor removes it as
 * long as this connection is the last one to close.
 */
export function openToLeave(file: string): Database {
  const database = new Database(file, { readonly: true, timeout: 0 });
  run(database, anyRead);
  return database;
}

/** SQLite's counter, which changes with each write that another connection or program commits. */
export function dataVersionOf(database: Database): unknown {
  return database.pragma('data_version', { simple: true });
}

function narrow(row: Row): Row {
  for (const name in row) {
    const value = row[name];
    if (typeof value !== 'bigint') continue;
    const number = Number(value);
    if (Number.isSafeInteger(number)) row[name] = number;
  }
  return row;
}
