import type { SqliteConnection } from '@mikro-orm/sqlite';
import type Database from 'better-sqlite3';
import type { Statement } from '#store/database/statement.ts';
import { type DatabaseListener, OpenSqlite } from './open-sqlite.ts';
import type { QueryResult, SqliteTransaction } from './sqlite-transaction.ts';

type Driver = ReturnType<ReturnType<SqliteConnection['createKyselyDialect']>['createDriver']>;
type Connection = Awaited<ReturnType<Driver['acquireConnection']>>;

/**
 * The driver that MikroORM and Kysely see. Migrations use its connections, one transaction at a time; the store uses the
 * open file itself.
 */
export class FileDriver implements Driver {
  /** Used only for savepoints. */
  readonly #driver: Driver;
  readonly #database: Database;
  readonly #listener: DatabaseListener;
  #opened: OpenSqlite | undefined;

  constructor(driver: Driver, database: Database, listener: DatabaseListener) {
    this.#driver = driver;
    this.#database = database;
    this.#listener = listener;
  }

  get file(): OpenSqlite {
    if (this.#opened === undefined) throw new Error('The database is not open');
    return this.#opened;
  }

  async init(): Promise<void> {
    this.#opened = await OpenSqlite.open(this.#database, this.#listener);
  }

  async acquireConnection(): Promise<FileConnection> {
    return new FileConnection(this.file);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    (connection as FileConnection).transaction = this.file.write();
  }

  async commitTransaction(connection: Connection): Promise<void> {
    (connection as FileConnection).transaction?.commit();
    await this.file.settled();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    (connection as FileConnection).transaction?.rollback();
  }

  async savepoint(...given: Parameters<NonNullable<Driver['savepoint']>>): Promise<void> {
    await this.#driver.savepoint?.(...given);
  }

  async rollbackToSavepoint(...given: Parameters<NonNullable<Driver['rollbackToSavepoint']>>): Promise<void> {
    await this.#driver.rollbackToSavepoint?.(...given);
  }

  async releaseSavepoint(...given: Parameters<NonNullable<Driver['releaseSavepoint']>>): Promise<void> {
    await this.#driver.releaseSavepoint?.(...given);
  }

  async releaseConnection(connection: Connection): Promise<void> {
    (connection as FileConnection).transaction = undefined;
  }

  async destroy(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }
}

/** Runs statements in its transaction; without one, each is a transaction of its own. */
class FileConnection implements Connection {
  transaction: SqliteTransaction | undefined;
  readonly #file: OpenSqlite;

  constructor(file: OpenSqlite) {
    this.#file = file;
  }

  executeQuery<R>(query: Statement): Promise<QueryResult<R>> {
    return (this.transaction?.executeQuery(query) ?? this.#file.run(query)) as Promise<QueryResult<R>>;
  }

  // biome-ignore lint/correctness/useYield: the interface requires it, and nothing reads row by row.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming queries are not supported');
  }
}
