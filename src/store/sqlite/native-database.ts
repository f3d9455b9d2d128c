import { chmodSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Failure } from '#contract/failure.ts';
import type { Statement, StatementResult } from '#store/database/statement.ts';
import { damagedBy } from './sqlite-fault.ts';

type Row = StatementResult['rows'][number];
type PreparedStatement = ReturnType<Database['prepare']>;

/** How many compiled statements a connection keeps: more than muster has texts, except for lists of many lengths. */
const maxStatements = 500;

/** What each connection has compiled; SQLite compiles again on its own what a change of the schema made stale. */
const statements = new WeakMap<Database, Map<string, PreparedStatement>>();

/** What SQLite sets aside stays in memory: a process that is killed would leave it in the shared temporary folder. */
const setAside = { name: 'temp_store', value: 'MEMORY', reads: 2n } as const;

/** How the database must stand for a commit to be durable, with what is read back of it. */
const writerSettings = [
  { name: 'journal_mode', value: 'WAL', reads: 'wal' },
  { name: 'synchronous', value: 'FULL', reads: 2n },
  { name: 'busy_timeout', value: '5000', reads: 5000n },
  { name: 'foreign_keys', value: 'ON', reads: 1n },
  setAside,
] as const;

/** Reading hardly ever meets a lock, and where it does it must not keep the process from all else. */
const readerSettings = [
  { name: 'query_only', value: 'ON', reads: 1n },
  { name: 'busy_timeout', value: '20', reads: 20n },
  setAside,
] as const;

/**
 * Opens the connection that writes, and checks what is in the file.
 * @throws DATA_LOSS when the file is damaged, INTERNAL when it cannot be made durable; SQLite's own errors.
 */
export function openToWrite(file: string): Database {
  const database = new Database(file);
  try {
    configure(database, writerSettings);
    if ((statSync(file).mode & 0o777) !== 0o600) chmodSync(file, 0o600);
    const check = database.pragma('quick_check', { simple: true });
    if (check !== 'ok') throw damagedBy(`quick_check says: ${check}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Has a connection to a database that is open for writing do nothing but read. */
export function readOnly(database: Database): void {
  configure(database, readerSettings);
}

function configure(database: Database, settings: typeof writerSettings | typeof readerSettings): void {
  database.defaultSafeIntegers(true);
  for (const { name, value } of settings) database.pragma(`${name} = ${value}`);
  for (const { name, reads } of settings) {
    const read = database.pragma(name, { simple: true });
    if (read === reads) continue;
    throw new Failure('INTERNAL', `${database.name} cannot be made durable: ${name} reads ${read} instead of ${reads}`);
  }
}

/** A value as it is handed over: SQLite takes a number for a float unless it is a BigInt, and knows no booleans. */
export function bound(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** Runs a statement. All integers are read as BigInt; the ones that a number holds exactly become numbers. */
export function run(database: Database, { sql, parameters }: Statement): StatementResult {
  const statement = prepared(database, sql);
  if (statement.reader) return { rows: statement.all(parameters).map(narrow) };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { rows: [], insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes) };
}

/**
 * Returns the compiled statement of a text; the same texts come again and again, and compiling takes longer than most
 * of them.
 */
function prepared(database: Database, sql: string): PreparedStatement {
  const known = statements.get(database) ?? new Map<string, PreparedStatement>();
  statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  // What was used last is last: the first is the one to forget.
  known.delete(sql);
  known.set(sql, statement);
  const [oldest] = known.keys();
  if (known.size > maxStatements && oldest !== undefined) known.delete(oldest);
  return statement;
}

function narrow(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) row[name] = Number(value);
  }
  return row;
}
