import type { Statement, StatementResult } from '#store/database/statement.ts';
import { DatabaseThread } from './database-thread.ts';

/** A thread whose database was closed: the next database opens in it, since to start a thread takes as long as to open one. */
let idle: DatabaseThread | undefined;

/**
 * The one connection that writes a database, in its own thread: SQLite waits for the disk with all of its thread, and
 * here nothing else waits with it. What goes wrong there by a fault of muster's own ends like any error that nobody
 * handled.
 */
export class DatabaseWriter {
  /** None once it is closed: by then the thread may write another database. */
  #open: DatabaseThread | undefined;

  private constructor(thread: DatabaseThread) {
    this.#open = thread;
  }

  /**
   * Opens a database; it is made if there is none. `onFault` is notified of what is found wrong with its file while it
   * is open.
   * @throws DATA_LOSS when the file is damaged, INTERNAL when it cannot be made durable; SQLite's own errors.
   */
  static async open(file: string, onFault: (error: Error) => void): Promise<DatabaseWriter> {
    const thread = idle === undefined || idle.hasEnded ? new DatabaseThread() : idle;
    idle = undefined;
    try {
      await thread.open(file, onFault);
      return new DatabaseWriter(thread);
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  /**
   * Runs a statement. Within a transaction it waits for no disk, so it is waited for on the spot: where each let all
   * else go first, a write would take as many turns of a busy process as it has statements.
   */
  async run({ sql, parameters }: Statement): Promise<StatementResult> {
    return this.#thread.askAtOnce({ kind: 'run', sql, parameters });
  }

  /** Begins a transaction that has the database's lock at once. */
  async begin(): Promise<void> {
    await this.#thread.ask({ kind: 'begin' });
  }

  /** Ends once all of the transaction is on the disk. */
  async commit(): Promise<void> {
    await this.#thread.ask({ kind: 'commit' });
  }

  /** Takes back what is left of a transaction, if anything. */
  async rollback(): Promise<void> {
    await this.#thread.ask({ kind: 'rollback' });
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#open = undefined;
    try {
      await thread.close();
    } catch (error) {
      await thread.end();
      throw error;
    }
    if (idle === undefined) idle = thread;
    else await thread.end();
  }

  get #thread(): DatabaseThread {
    if (this.#open === undefined) throw new Error('The database is not open');
    return this.#open;
  }
}
