import type Database from 'better-sqlite3';
import { type CheckpointListener, CheckpointThread } from './checkpoint-thread.ts';
import { ForeignWrites } from './foreign-writes.ts';
import { forgetDigests } from './page-ledger.ts';

/**
 * A thread whose database was closed. The next database opens in it, because starting a thread takes as long as opening
 * a database.
 */
let idle: CheckpointThread | undefined;

/** The checkpoints of one open database, which run in a thread. */
export class Checkpoints {
  readonly #file: string;
  /** Undefined once closed, because the thread may then have another database open. */
  #thread: CheckpointThread | undefined;
  #foreignWrites: ForeignWrites | undefined;

  private constructor(file: string, thread: CheckpointThread) {
    this.#file = file;
    this.#thread = thread;
  }

  /**
   * Opens a database for checkpoints: checks it, and creates it if it does not exist.
   * @throws DATA_LOSS when the file is damaged, INTERNAL when it cannot be made durable; SQLite's own errors
   */
  static async open(file: string, listener: CheckpointListener): Promise<Checkpoints> {
    const thread = idle === undefined || idle.hasEnded ? new CheckpointThread() : idle;
    idle = undefined;
    try {
      await thread.open(file, listener);
      return new Checkpoints(file, thread);
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  /** Begins, once the connection that writes is open. */
  async begin(writer: Database): Promise<void> {
    this.#foreignWrites = new ForeignWrites(writer);
    await this.ask('tend');
  }

  /** Lets the thread see that the log has grown. */
  committed(): void {
    this.#opened.committed();
  }

  /** Does what is due, or writes the whole log to the file. Nothing may be written meanwhile. */
  async ask(kind: 'tend' | 'checkpoint'): Promise<void> {
    const foreignWrites = this.#foreignWrites?.count() ?? 0;
    try {
      await this.#opened.ask({ kind, foreignWrites });
    } finally {
      // The thread has written, too.
      this.#foreignWrites?.skip();
    }
  }

  /**
   * Closes the thread's connection. If it is the last one, SQLite writes the log to the file, and the ledger has what it
   * writes. `closeOthers` closes the other connections before that.
   * @param isSound whether the log may be written to the file
   */
  async close(closeOthers: () => void, isSound = true): Promise<void> {
    const thread = this.#opened;
    this.#thread = undefined;
    const foreignWrites = this.#foreignWrites?.count() ?? 0;
    closeOthers();
    try {
      await thread.close(isSound ? foreignWrites : undefined);
    } catch (error) {
      await thread.end();
      forgetDigests(this.#file);
      throw error;
    }
    if (idle === undefined) idle = thread;
    else await thread.end();
  }

  get #opened(): CheckpointThread {
    if (this.#thread === undefined) throw new Error('The database is not open');
    return this.#thread;
  }
}
