import type { SqliteConnection } from '@mikro-orm/sqlite';
import type Database from 'better-sqlite3';
import type { Statement, StatementResult } from '#store/database/statement.ts';
import { DatabaseWriter } from './database-writer.ts';
import { begin, bound, commit, openToRead, readOnly, rollback, run } from './native-database.ts';
import { type QueryResult, type SqliteTransaction, WriteTransaction } from './write-transaction.ts';

type Driver = ReturnType<ReturnType<SqliteConnection['createKyselyDialect']>['createDriver']>;
type Connection = Awaited<ReturnType<Driver['acquireConnection']>>;

/**
 * The driver of a database with one connection that reads, in this thread, and one that writes, in its own thread. A
 * read transaction sees everything committed before it began, and waits for no write. A write transaction has a further
 * connection in this thread, for what it reads before it writes. Each connection runs one transaction at a time.
 */
export class TwoConnections implements Driver {
  /** Used only for savepoints. */
  readonly #driver: Driver;
  readonly #reader: Database;
  readonly #onFault: (error: Error) => void;
  #opened: DatabaseWriter | undefined;
  /** Reads for write transactions; opened by the first one. */
  #companion: Database | undefined;

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
    if (routed.isReading) run(this.#reader, begin);
    else await this.#writer.begin();
  }

  async commitTransaction(connection: Connection): Promise<void> {
    if ((connection as RoutedConnection).isReading) run(this.#reader, commit);
    else await this.#writer.commit();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    if (!(connection as RoutedConnection).isReading) await this.#writer.rollback();
    else if (this.#reader.inTransaction) run(this.#reader, rollback);
  }

  /** Begins a transaction. A write transaction takes the database's lock at once. */
  async begin(accessMode: 'read only' | 'read write'): Promise<SqliteTransaction> {
    if (accessMode === 'read write') {
      // First, because nobody would end a transaction whose reads cannot begin.
      this.#companion ??= openToRead(this.#reader.name);
      await this.#writer.begin();
      return new WriteTransaction(this.#writer, this.#companion);
    }
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
    this.#companion?.close();
    this.#companion = undefined;
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }

  get #writer(): DatabaseWriter {
    if (this.#opened === undefined) throw new Error('The database is not open');
    return this.#opened;
  }
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

  executeQuery<R>(query: Statement): Promise<QueryResult<R>> {
    return this.run(query) as Promise<QueryResult<R>>;
  }

  // biome-ignore lint/correctness/useYield: the interface requires it, and nothing reads row by row.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming queries are not supported');
  }
}
