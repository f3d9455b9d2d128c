import { chmodSync, realpathSync, statSync } from 'node:fs';
import {
  AbstractSqlDriver,
  type Configuration,
  type Constructor,
  type Dictionary,
  MikroORM,
  SqliteConnection,
  SqlitePlatform,
} from '@mikro-orm/sqlite';
import { Failure } from '#contract/failure.ts';
import { damagedBy, movedAway } from './database-fault.ts';

/** The part of the database library that is spoken to directly. */
interface NativeDatabase {
  readonly name: string;
  readonly inTransaction: boolean;
  exec(sql: string): void;
  close(): void;
  pragma(source: string, options?: { simple: boolean }): unknown;
  defaultSafeIntegers(on: boolean): void;
}

type Dialect = ReturnType<SqliteConnection['createKyselyDialect']>;
type Driver = ReturnType<Dialect['createDriver']>;
type Connected = Awaited<ReturnType<Driver['acquireConnection']>>;

/**
 * How the database must stand for a commit to be durable, with what is read back of it. What SQLite sets aside stays in memory: a
 * process that is killed would leave it in the shared temporary folder.
 */
const settings = [
  { name: 'journal_mode', value: 'WAL', reads: 'wal' },
  { name: 'synchronous', value: 'FULL', reads: 2n },
  { name: 'busy_timeout', value: '5000', reads: 5000n },
  { name: 'foreign_keys', value: 'ON', reads: 1n },
  { name: 'temp_store', value: 'MEMORY', reads: 2n },
] as const;

/** How SQLite spells the column types that databases spell differently, for migrations. */
export const columnTypes = {
  boolean: 'integer',
  /** A key that the database counts up and never gives out again. */
  serial: 'integer not null primary key autoincrement',
} as const;

/**
 * MikroORM's SQLite driver with what it leaves open: durable settings that are read back, write transactions that begin
 * immediately, integers that stay exact, and texts that may hold any character.
 */
export class DurableSqliteDriver extends AbstractSqlDriver<SqliteConnection> {
  constructor(config: Configuration) {
    super(config, new ExactPlatform(), DurableConnection, []);
  }

  override getORMClass(): Constructor<MikroORM> {
    return MikroORM;
  }
}

class ExactPlatform extends SqlitePlatform {
  /** SQL ends at a NUL character, so a text that holds one is put together from its parts. */
  override escape(value: unknown): string {
    const escaped = super.escape(value as string);
    return escaped.includes('\0') ? `(${escaped.replaceAll('\0', "'||char(0)||'")})` : escaped;
  }
}

class DurableConnection extends SqliteConnection {
  override createKyselyDialect(options: Dictionary): Dialect {
    const dialect = super.createKyselyDialect(options);
    const database = this['database'] as NativeDatabase;
    try {
      settle(database);
    } catch (error) {
      database.close();
      throw error;
    }
    return {
      createDriver: () => exactDriver(dialect.createDriver(), database),
      createAdapter: () => lockless(dialect.createAdapter()),
      createIntrospector: (kysely) => dialect.createIntrospector(kysely),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    };
  }
}

/**
 * Kysely guards a single connection with a lock that it does not give back where a transaction fails to begin. The store
 * lets one piece of work at a time through, so the lock is not needed.
 */
function lockless<A extends object>(adapter: A): A {
  return Object.create(adapter, { supportsMultipleConnections: { value: true } }) as A;
}

function settle(database: NativeDatabase): void {
  database.defaultSafeIntegers(true);
  for (const { name, value } of settings) database.pragma(`${name} = ${value}`);
  for (const { name, reads } of settings) {
    const read = database.pragma(name, { simple: true });
    if (read === reads || database.name === ':memory:') continue;
    throw new Failure('internal', `${database.name} cannot be made durable: ${name} reads ${read} instead of ${reads}`);
  }
  if (database.name !== ':memory:' && (statSync(database.name).mode & 0o777) !== 0o600) chmodSync(database.name, 0o600);
  const check = database.pragma('quick_check', { simple: true });
  if (check !== 'ok') throw damagedBy(`quick_check says: ${check}`);
}

/**
 * Gives what refuses a write where the database is no longer under its name: SQLite would go on with a file that was moved away
 * or removed, or with a log of one, and what was accepted since would be gone with the next start.
 */
function standingOf({ name }: NativeDatabase): () => void {
  if (name === ':memory:') return () => undefined;
  const file = realpathSync(name);
  const opened = new Map<string, number>();
  return () => {
    for (const path of [file, `${file}-wal`]) {
      const now = statSync(path, { throwIfNoEntry: false })?.ino;
      const before = opened.get(path);
      if (before !== undefined && before !== now) throw movedAway(path);
      if (now !== undefined) opened.set(path, now);
    }
  };
}

/** The driver with `begin immediate` for whatever may write, so that no transaction fails half-way for want of the lock. */
function exactDriver(driver: Driver, database: NativeDatabase): Driver {
  const checkStanding = standingOf(database);
  checkStanding();
  return {
    init: (options) => driver.init(options),
    acquireConnection: async (options) => exactConnection(await driver.acquireConnection(options)),
    beginTransaction: async (_, { accessMode }) => {
      if (accessMode === 'read only') return void database.exec('begin');
      checkStanding();
      database.exec('begin immediate');
    },
    commitTransaction: async () => database.exec('commit'),
    rollbackTransaction: async () => {
      if (database.inTransaction) database.exec('rollback');
    },
    savepoint: async (...given) => driver.savepoint?.(...given),
    rollbackToSavepoint: async (...given) => driver.rollbackToSavepoint?.(...given),
    releaseSavepoint: async (...given) => driver.releaseSavepoint?.(...given),
    releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
    destroy: (options) => driver.destroy(options),
  };
}

/** All integers are read as BigInt; the ones that a number holds exactly become numbers. */
function exactConnection(connection: Connected): Connected {
  return {
    executeQuery: async <R>(query: Parameters<Connected['executeQuery']>[0]) => {
      const { rows, ...rest } = await connection.executeQuery<R>(query);
      return { ...rest, rows: rows.map((row) => narrow(row as Row) as R) };
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}

type Row = Record<string, unknown>;

function narrow(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) row[name] = Number(value);
  }
  return row;
}
