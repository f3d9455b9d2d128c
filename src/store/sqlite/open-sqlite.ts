import { realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Failure } from '#contract/failure.ts';
import type { Statement, StatementResult } from '#store/database/statement.ts';
import type { CheckpointListener } from './checkpoint-thread.ts';
import { Checkpoints } from './checkpoints.ts';
import { LogSync } from './log-sync.ts';
import { beginToWrite, commit, endAny, openToLeave, openToWrite, readOnly, run } from './native-database.ts';
import { OpenedFiles } from './opened-files.ts';
import { ReadSnapshots } from './read-snapshots.ts';
import { notWritten } from './sqlite-fault.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';

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
  readonly #checkpoints: Checkpoints;
  readonly #files: OpenedFiles;
  readonly #log: LogSync;
  readonly #snapshots: ReadSnapshots;

  private constructor(
    database: Database,
    checkpoints: Checkpoints,
    { reader, listener }: { reader: Database; listener: DatabaseListener },
  ) {
    this.#database = database;
    this.#checkpoints = checkpoints;
    this.#files = new OpenedFiles(database.name);
    this.#snapshots = new ReadSnapshots(reader);
    this.#log = new LogSync(`${realpathSync(database.name)}-wal`, {
      onSynced: () => this.#snapshots.synced(),
      onFailed: listener.onUnsynced,
    });
  }

  /**
   * Opens a database, and creates it if it does not exist.
   * @param reader another connection to it, which becomes one that can only read, and is closed with the database, also
   *   if that cannot be opened
   * @throws DATA_LOSS when the file is damaged, INTERNAL when it cannot be made durable; SQLite's own errors
   */
  static async open(reader: Database, listener: DatabaseListener): Promise<OpenSqlite> {
    let [checkpoints, database]: [Checkpoints?, Database?] = [];
    const closeOthers = (): void => {
      database?.close();
      reader.close();
    };
    try {
      checkpoints = await Checkpoints.open(reader.name, listener);
      readOnly(reader);
      database = openToWrite(reader.name);
      const opened = new OpenSqlite(database, checkpoints, { reader, listener });
      await checkpoints.begin(database);
      return opened;
    } catch (error) {
      if (checkpoints === undefined) closeOthers();
      else await checkpoints.close(closeOthers).catch(() => undefined);
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
    this.requireSound();
    this.#files.requireSame();
    run(this.#database, beginToWrite);
    return new SqliteTransaction(this.#database, {
      commit: (hasWritten) => this.#commit(hasWritten),
      rollback: () => endAny(this.#database),
    });
  }

  /** Runs a statement that is a transaction of its own. */
  async run(statement: Statement): Promise<StatementResult> {
    this.requireSound();
    const result = run(this.#database, statement);
    this.#snapshots.endTurn();
    this.#committed();
    await this.settled();
    return result;
  }

  /** @throws DISK_FAILED when a sync has failed */
  requireSound(): void {
    if (this.#log.failure !== undefined) throw notWritten(this.#log.failure);
  }

  /** Writes the whole log to the file. Nothing may be written meanwhile. */
  checkpoint(): Promise<void> {
    return this.#snapshots.during(() => this.#checkpoints.ask('checkpoint'));
  }

  /** Resolves once everything committed so far is on the disk. @throws DISK_FAILED when a sync has failed */
  settled(): Promise<void> {
    return this.#log.settled();
  }

  /** Does what is due for checkpoints. Nothing may be written meanwhile. */
  async tend(): Promise<void> {
    // A snapshot from before a sync would keep the checkpoint from being complete.
    await this.settled();
    await this.#snapshots.during(() => this.#checkpoints.ask('tend'));
  }

  /** Closes the database. After a failed sync the log stays as it is: only the next start checks its frames. */
  async close(): Promise<void> {
    await this.settled().catch(() => undefined);
    const isSound = this.#log.failure === undefined;
    const last = isSound ? undefined : openToLeave(this.#database.name);
    const closeOthers = (): void => {
      this.#database.close();
      this.#snapshots.close();
    };
    try {
      await this.#checkpoints.close(closeOthers, isSound);
    } finally {
      last?.close();
      await this.#log.close();
    }
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
    this.#checkpoints.committed();
  }
}
