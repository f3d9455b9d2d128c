import type Database from 'better-sqlite3';
import type { Session } from '#store/database/session.ts';
import type { Statement, StatementResult } from '#store/database/statement.ts';
import { bound, endAny, run } from './native-database.ts';

/** The result of a statement as Kysely types it. */
export type QueryResult<R> = Omit<StatementResult, 'rows'> & { rows: R[] };

const savepoint: Statement = { sql: 'savepoint nested', parameters: [] };
const release: Statement = { sql: 'release nested', parameters: [] };
const undo: Statement = { sql: 'rollback to nested', parameters: [] };

/** How a transaction ends. */
interface TransactionEnds {
  /** @param hasWritten whether it has run anything but selects */
  readonly commit: (hasWritten: boolean) => void;
  readonly rollback: () => void;
}

/** An open transaction, which has its connection to itself. MikroORM uses it like one of Kysely's. */
export class SqliteTransaction implements Session {
  readonly #database: Database;
  readonly #ends: TransactionEnds;
  #hasWritten = false;
  #isOver = false;
  /** The fault with which the database has ended the transaction. */
  #fault: unknown;

  constructor(database: Database, ends: TransactionEnds) {
    this.#database = database;
    this.#ends = ends;
  }

  /** Whether the database has ended it, as some faults do. */
  get hasEnded(): boolean {
    return !this.#database.inTransaction;
  }

  /** Begins a transaction within this one. */
  nested(): SqliteTransaction {
    run(this.#database, savepoint);
    return new SqliteTransaction(this.#database, {
      commit: (hasWritten) => {
        run(this.#database, release);
        this.#hasWritten ||= hasWritten;
      },
      rollback: () => {
        if (this.hasEnded) return;
        try {
          run(this.#database, undo);
          run(this.#database, release);
        } catch (error) {
          // What it wrote must not be committed with the rest.
          endAny(this.#database);
          throw error;
        }
      },
    });
  }

  async run({ sql, parameters }: Statement): Promise<StatementResult> {
    return this.#run({ sql, parameters: parameters.map(bound) });
  }

  async executeQuery<R>(query: Statement): Promise<QueryResult<R>> {
    return this.#run(query) as QueryResult<R>;
  }

  /** @throws the fault that has ended it, if one has */
  commit(): void {
    this.#requireOpen();
    this.#ends.commit(this.#hasWritten);
    this.#isOver = true;
  }

  rollback(): void {
    this.#isOver = true;
    this.#ends.rollback();
  }

  #run(statement: Statement): StatementResult {
    if (this.#isOver) throw new Error(`The transaction has ended: ${statement.sql}`);
    this.#requireOpen();
    this.#hasWritten ||= !/^\s*select\b/i.test(statement.sql);
    try {
      return run(this.#database, statement);
    } catch (error) {
      if (this.hasEnded) this.#fault ??= error;
      throw error;
    }
  }

  /** Without it, a statement after such a fault would be a transaction of its own. */
  #requireOpen(): void {
    if (this.hasEnded) throw this.#fault ?? new Error('The database has ended the transaction');
  }
}
