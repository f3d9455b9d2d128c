import type { SqliteConnection } from '@mikro-orm/sqlite';
import type Database from 'better-sqlite3';
import type { Session } from '#store/database/session.ts';
import type { Statement, StatementResult } from '#store/database/statement.ts';
import { DatabaseWriter } from './database-writer.ts';
import { bound, readOnly, run } from './native-database.ts';

type Driver = ReturnType<ReturnType<SqliteConnection['createKyselyDialect']>['createDriver']>;
type Connection = Awaited<ReturnType<Driver['acquireConnection']>>;
type Query = Parameters<Connection['executeQuery']>[0];

/**
 * The driver of a database with one connection that reads, in this thread, and one that writes, in its own thread. A
 * read transaction sees everything committed before it began, and waits for no write. Each connection runs one
 * transaction at a time.
 */
export class TwoConnections implements Driver {
  /** Used only for savepoints. */
  readonly #driver: Driver;
  readonly #reader: Database;
  readonly #onFault: (error: Error) => void;
  #opened: DatabaseWriter | undefined;

  /** @param onFault is called with damage found in the file while it is open, and with failures to read its pages. */
  constructor(driver: Driver, reader: Database, onFault: (error: Error) => void) {
    this.#driver = driver;
    this.#reader = reader;
    this.#onFault = onFault;
  }

  async init(): Promise<void> {
    try {
      this.#opened = await DatabaseWriter.open(this.#reader.name, this.#onFault);
      readOnly(this.#reader);
    } catch (error) {
      await this.destroy();
      throw error;
    }
  }

  async acquireConnection(): Promise<RoutedConnection> {
    return new RoutedConnection(this.#reader, this.#writer);
  }

  async beginTransaction(
    connection: Connection,
    { accessMode }: Parameters<Driver['beginTransaction']>[1],
  ): Promise<void> {
    const routed = connection as RoutedConnection;
    routed.isReading = accessMode === 'read only';
    if (routed.isReading) this.#reader.exec('begin');
    else await this.#writer.begin();
  }

  async commitTransaction(connection: Connection): Promise<void> {
    if ((connection as RoutedConnection).isReading) this.#reader.exec('commit');
    else await this.#writer.commit();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    if (!(connection as RoutedConnection).isReading) await this.#writer.rollback();
    else if (this.#reader.inTransaction) this.#reader.exec('rollback');
  }

  /** Begins a transaction. A write transaction takes the database's lock at once. */
  async begin(accessMode: 'read only' | 'read write'): Promise<SqliteTransaction> {
    const connection = await this.acquireConnection();
    await this.beginTransaction(connection, { accessMode });
    return {
      run: ({ sql, parameters }) => connection.run({ sql, parameters: parameters.map(bound) }),
      executeQuery: (query) => connection.executeQuery(query),
      commit: () => this.commitTransaction(connection),
      rollback: () => this.rollbackTransaction(connection),
    };
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
    (connection as RoutedConnection).isReading = false;
  }

  /** Closes the writer last, so that SQLite checkpoints the WAL. */
  async destroy(): Promise<void> {
    this.#reader.close();
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }

  get #writer(): DatabaseWriter {
    if (this.#opened === undefined) throw new Error('The database is not open');
    return this.#opened;
  }
}

/** An open transaction. MikroORM uses it like one of Kysely's. */
export interface SqliteTransaction extends Session {
  executeQuery<R>(query: Query): ReturnType<typeof RoutedConnection.prototype.executeQuery<R>>;
  /** Resolves once the whole transaction is on the disk. */
  commit(): Promise<void>;
  /** Rolls back, if still open. */
  rollback(): Promise<void>;
}

/** Routes statements to the reader or the writer, as its transaction requires; outside a transaction, to the writer. */
class RoutedConnection implements Connection {
  isReading = false;
  readonly #reader: Database;
  readonly #writer: DatabaseWriter;

  constructor(reader: Database, writer: DatabaseWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async run(statement: Statement): Promise<StatementResult> {
    return this.isReading ? run(this.#reader, statement) : this.#writer.run(statement);
  }

  async executeQuery<R>(query: Query): Promise<Omit<StatementResult, 'rows'> & { rows: R[] }> {
    const { rows, ...rest } = await this.run(query);
    return { ...rest, rows: rows as R[] };
  }

  // biome-ignore lint/correctness/useYield: the interface requires it, and nothing reads row by row.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming queries are not supported');
  }
}
