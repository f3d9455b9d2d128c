import { type FileHandle, open } from 'node:fs/promises';
import type { Failure } from '#contract/failure.ts';
import { unsynced } from './sqlite-fault.ts';

/** Writes an open file's data to the disk. */
type Sync = (file: FileHandle) => Promise<void>;

const syncOnDisk: Sync = (file) => file.datasync();

/** Called when a sync ends, before those who wait for it get their answer. */
interface SyncListener {
  readonly onSynced: () => void;
  /** Called once: nobody knows which commits since the last sync are stored. */
  readonly onFailed: (failure: Failure) => void;
}

/**
 * Syncs a database's write-ahead log to the disk without blocking this thread. Commits that arrive during a sync share
 * the next one.
 */
export class LogSync {
  readonly #log: string;
  readonly #listener: SyncListener;
  readonly #sync: Sync;
  /** Stays open, because the system reports a failed write only to files that were open at that time. */
  #file: FileHandle | undefined;
  #commits = 0;
  /** How many commits are on the disk. */
  #synced = 0;
  /** How many commits will be on the disk when the running sync ends. */
  #covered = 0;
  #running: Promise<void> | undefined;
  #failure: Failure | undefined;

  /** @param log the log's path; SQLite creates the file with the first commit */
  constructor(log: string, listener: SyncListener, sync: Sync = syncOnDisk) {
    this.#log = log;
    this.#listener = listener;
    this.#sync = sync;
  }

  /** The failure of the sync that failed. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Where the last commit is: on the disk, on its way there by the running sync, or before the next sync. */
  get last(): 'stored' | 'syncing' | 'waiting' {
    if (this.#commits === this.#synced) return 'stored';
    return this.#running !== undefined && this.#covered === this.#commits ? 'syncing' : 'waiting';
  }

  /** Notes a commit that is in the log, perhaps only in memory. */
  committed(): void {
    this.#commits += 1;
  }

  /**
   * Resolves once everything committed so far is on the disk.
   * @throws DISK_FAILED when a sync has failed, from then on: nobody knows which commits since the last one are stored
   */
  async settled(): Promise<void> {
    const wanted = this.#commits;
    while (this.#failure === undefined && this.#synced < wanted) {
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
      await this.#running;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** To be called once nobody waits. */
  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  async #run(): Promise<void> {
    try {
      this.#file ??= await open(this.#log, 'r');
      this.#covered = this.#commits;
      await this.#sync(this.#file);
      this.#synced = this.#covered;
      this.#listener.onSynced();
    } catch (error) {
      this.#failure = unsynced(error);
      this.#listener.onFailed(this.#failure);
    }
  }
}
