import type { Statement, StatementResult } from '#store/database/statement.ts';
import { DatabaseThread } from './database-thread.ts';

/**
 * A thread whose database was closed. The next database opens in it, because starting a thread takes as long as opening
 * a database.
 */
let idle: DatabaseThread | undefined;

/**
 * The only connection that writes a database. It runs in its own thread, because SQLite blocks its thread while it
 * waits for the disk. A bug in that thread ends the process like any unhandled error.
 */
export class DatabaseWriter {
  /** Undefined once closed, because the thread may then write another database. */
  #open: DatabaseThread | undefined;

  private constructor(thread: DatabaseThread) {
    this.#open = thread;
  }

  /**
   * Opens a database, and creates it if it does not exist. `onFault` is called with faults that are found in its file
   * while it is open.
   * @throws DATA_LOSS when the file is damaged, INTERNAL when it cannot be made durable; SQLite's own errors
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
   * Runs a statement. Within a transaction it does not wait for the disk, so its answer is awaited synchronously:
   * otherwise a write would take one turn of a busy event loop for each of its statements.
   */
  async run({ sql, parameters }: Statement): Promise<StatementResult> {
    return this.#thread.askAtOnce({ kind: 'run', sql, parameters });
  }

  /** Begins a transaction, and takes the database's lock at once. */
  async begin(): Promise<void> {
    await this.#thread.ask({ kind: 'begin' });
  }

  /** Commits. Resolves once the whole transaction is on the disk. */
  async commit(): Promise<void> {
    await this.#thread.ask({ kind: 'commit' });
  }

  /** Rolls back the transaction, if it is still open. */
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
