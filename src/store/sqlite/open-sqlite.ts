import { realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Failure } from '#contract/failure.ts';
import type { Statement, StatementResult } from '#store/database/statement.ts';
import { type CheckpointListener, CheckpointThread } from './checkpoint-thread.ts';
import { ForeignWrites } from './foreign-writes.ts';
import { LogSync } from './log-sync.ts';
import { beginToWrite, commit, endAny, openToWrite, readOnly, run } from './native-database.ts';
import { OpenedFiles } from './opened-files.ts';
import { ReadSnapshots } from './read-snapshots.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';

/**
 * A thread whose database was closed. The next database opens in it, because starting a thread takes as long as opening
 * a database.
 */
let idle: CheckpointThread | undefined;

/** What an open database reports on its own. */
export interface DatabaseListener extends CheckpointListener {
  /** Called once, when the database cannot be used any more because nobody knows whether the last commits are stored. */
  readonly onUnsynced: (failure: Failure) => void;
}

/**
 * An open database file: the connections that read and write it, the sync of its log, and the thread that runs its
 * checkpoints. Transactions do not wait for the disk. One reads and one writes at a time.
 */
export class OpenSqlite {
  readonly #database: Database;
  readonly #files: OpenedFiles;
  readonly #log: LogSync;
  readonly #snapshots: ReadSnapshots;
  readonly #foreignWrites: ForeignWrites;
  /** Undefined once closed, because the thread may then have another database open. */
  #thread: CheckpointThread | undefined;

  private constructor(
    database: Database,
    thread: CheckpointThread,
    { reader, listener }: { reader: Database; listener: DatabaseListener },
  ) {
    this.#database = database;
    this.#foreignWrites = new ForeignWrites(database);
    this.#thread = thread;
    this.#files = new OpenedFiles(database.name);
    this.#snapshots = new ReadSnapshots(reader);
    this.#log = new LogSync(`${realpathSync(database.name)}-wal`, {
      onSynced: () => this.#snapshots.synced(),
      onFailed: listener.onUnsynced,
    });
  }

  /**
   * Opens a database, and creates it if it does not exist.
   * @param reader another connection to it, which becomes one that can only read, and is closed with the database
   * @throws DATA_LOSS when the file is damaged, INTERNAL when it cannot be made durable; SQLite's own errors
   */
  static async open(reader: Database, listener: DatabaseListener): Promise<OpenSqlite> {
    const thread = idle === undefined || idle.hasEnded ? new CheckpointThread() : idle;
    idle = undefined;
    let database: Database | undefined;
    try {
      await thread.open(reader.name, listener);
      readOnly(reader);
      database = openToWrite(reader.name);
      const opened = new OpenSqlite(database, thread, { reader, listener });
      await opened.#ask('tend');
      return opened;
    } catch (error) {
      database?.close();
      await thread.end();
      throw error;
    }
  }

  /** Begins a transaction that reads what is on the disk. */
  read(): SqliteTransaction {
    return this.#snapshots.begin();
  }

  /**
   * Begins a transaction that writes, and takes the database's lock at once.
   * @throws DATA_LOSS when a file was moved, DISK_FAILED when a sync has failed
   */
  write(): SqliteTransaction {
    if (this.#log.failure !== undefined) throw this.#log.failure;
    this.#files.requireSame();
    run(this.#database, beginToWrite);
    return new SqliteTransaction(this.#database, {
      commit: (hasWritten) => this.#commit(hasWritten),
      rollback: () => endAny(this.#database),
    });
  }

  /** Runs a statement that is a transaction of its own. */
  async run(statement: Statement): Promise<StatementResult> {
    const result = run(this.#database, statement);
    this.#committed();
    await this.settled();
    return result;
  }

  /** Writes the whole log to the file. Nothing may be written meanwhile. */
  async checkpoint(): Promise<void> {
    await this.#ask('checkpoint');
  }

  /** Resolves once everything committed so far is on the disk. @throws DISK_FAILED when a sync has failed */
  settled(): Promise<void> {
    return this.#log.settled();
  }

  /** Lets the thread do what is due. Nothing may be written meanwhile. */
  async tend(): Promise<void> {
    // A snapshot from before a sync would keep the checkpoint from being complete.
    await this.settled();
    if (this.#thread !== undefined) await this.#ask('tend');
  }

  /** Closes the connection of the thread last, so that SQLite checkpoints the log. */
  async close(): Promise<void> {
    const thread = this.#opened;
    this.#thread = undefined;
    const foreignWrites = this.#foreignWrites.count();
    this.#database.close();
    this.#snapshots.close();
    try {
      await thread.close(foreignWrites);
    } catch (error) {
      await thread.end();
      throw error;
    } finally {
      await this.#log.close();
    }
    if (idle === undefined) idle = thread;
    else await thread.end();
  }

  #commit(hasWritten: boolean): void {
    const undo = hasWritten ? this.#keepSnapshot() : undefined;
    try {
      run(this.#database, commit);
    } catch (error) {
      undo?.();
      throw error;
    }
    if (hasWritten) this.#committed();
  }

  /** Keeps what reads may see after the next commit, if that is not kept. Returns how to undo that. */
  #keepSnapshot(): (() => void) | undefined {
    const { last } = this.#log;
    if (last === 'stored') return this.#snapshots.keepStored();
    return last === 'syncing' ? this.#snapshots.keepSyncing() : undefined;
  }

  #committed(): void {
    this.#log.committed();
    this.#opened.committed();
  }

  async #ask(kind: 'tend' | 'checkpoint'): Promise<void> {
    await this.#opened.ask({ kind, foreignWrites: this.#foreignWrites.count() });
    // The thread has written, too.
    this.#foreignWrites.skip();
  }

  get #opened(): CheckpointThread {
    if (this.#thread === undefined) throw new Error('The database is not open');
    return this.#thread;
  }
}
