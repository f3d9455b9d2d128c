import type Database from 'better-sqlite3';
import type { Session } from '#store/database/session.ts';
import type { Statement, StatementResult } from '#store/database/statement.ts';
import type { DatabaseWriter } from './database-writer.ts';
import { begin, bound, commit, run } from './native-database.ts';
import { WrittenTables } from './written-tables.ts';

/** The result of a statement as Kysely types it. */
export type QueryResult<R> = Omit<StatementResult, 'rows'> & { rows: R[] };

/** An open transaction. MikroORM uses it like one of Kysely's. */
export interface SqliteTransaction extends Session {
  executeQuery<R>(query: Statement): Promise<QueryResult<R>>;
  /** Resolves once the whole transaction is on the disk. */
  commit(): Promise<void>;
  /** Rolls back, if still open. */
  rollback(): Promise<void>;
}

/**
 * A transaction that holds the database's lock. It reads in this thread what it has not written: nobody else can write,
 * so another connection sees the same, and asking the thread that writes takes ten times as long as most statements.
 */
export class WriteTransaction implements SqliteTransaction {
  readonly #writer: DatabaseWriter;
  readonly #reader: Database;
  readonly #written = new WrittenTables();

  /** @param reader a connection in this thread that this transaction has to itself */
  constructor(writer: DatabaseWriter, reader: Database) {
    this.#writer = writer;
    this.#reader = reader;
  }

  run({ sql, parameters }: Statement): Promise<StatementResult> {
    return this.#run({ sql, parameters: parameters.map(bound) });
  }

  executeQuery<R>(query: Statement): Promise<QueryResult<R>> {
    return this.#run(query) as Promise<QueryResult<R>>;
  }

  async commit(): Promise<void> {
    this.#endReads();
    await this.#writer.commit();
  }

  async rollback(): Promise<void> {
    this.#endReads();
    await this.#writer.rollback();
  }

  async #run(statement: Statement): Promise<StatementResult> {
    if (!this.#written.leavesOut(statement.sql)) {
      this.#written.add(statement.sql);
      return this.#writer.run(statement);
    }
    if (!this.#reader.inTransaction) run(this.#reader, begin);
    return run(this.#reader, statement);
  }

  /** A checkpoint waits for each connection that still reads. */
  #endReads(): void {
    if (this.#reader.inTransaction) run(this.#reader, commit);
  }
}
