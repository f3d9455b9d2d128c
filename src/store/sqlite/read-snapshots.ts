import type Database from 'better-sqlite3';
import { anyRead, begin, endAny, openToRead, run } from './native-database.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';

/** A connection in a transaction that reads. */
interface Snapshot {
  readonly connection: Database;
  /** Whether work reads it now. */
  isRead: boolean;
  /** Whether it ends with that work. */
  isOver: boolean;
}

/**
 * Lets reads see what is on the disk, and nothing that a power cut could still undo. While commits wait for a sync, reads
 * share a snapshot from before them; so they wait for neither a write nor the disk. Otherwise the reads of one turn of the
 * event loop share one, because to begin and to end a transaction takes as long as a short read. One read runs at a time.
 */
export class ReadSnapshots {
  readonly #idle: Database[];
  readonly #file: string;
  /** What is on the disk; undefined if that is everything. */
  #stored: Snapshot | undefined;
  /** Everything, for the reads of this turn, until the next commit; undefined before the first of them. */
  #everything: Snapshot | undefined;
  /** What the running sync writes to the disk; undefined if that is everything. */
  #syncing: Snapshot | undefined;

  /** @param connection one that can only read */
  constructor(connection: Database) {
    this.#idle = [connection];
    this.#file = connection.name;
  }

  /** Begins a transaction that reads. */
  begin(): SqliteTransaction {
    const snapshot = this.#stored ?? this.#ofThisTurn();
    snapshot.isRead = true;
    const end = (): void => {
      snapshot.isRead = false;
      if (snapshot.isOver) this.#release(snapshot);
    };
    return new SqliteTransaction(snapshot.connection, { commit: end, rollback: end });
  }

  /** Keeps what is on the disk, all of which is committed, before the next commit. Returns how to undo that. */
  keepStored(): () => void {
    const kept = this.#everything ?? this.#kept();
    this.#everything = undefined;
    this.#stored = kept;
    return () => {
      if (this.#stored === kept) this.synced();
    };
  }

  /** Keeps what the running sync writes to the disk, before the next commit. Returns how to undo that. */
  keepSyncing(): () => void {
    const kept = this.#kept();
    this.#syncing = kept;
    return () => {
      if (this.#syncing === kept) this.#syncing = undefined;
      if (this.#stored === kept) this.#stored = undefined;
      this.#end(kept);
    };
  }

  /** Notes that a sync has ended. */
  synced(): void {
    const before = this.#stored;
    this.#stored = this.#syncing;
    this.#syncing = undefined;
    if (before !== undefined) this.#end(before);
  }

  /** Ends the snapshot that the reads of this turn share, for which a checkpoint would wait. */
  rest(): void {
    const shared = this.#everything;
    this.#everything = undefined;
    if (shared !== undefined) this.#end(shared);
  }

  close(): void {
    this.rest();
    for (const snapshot of [this.#stored, this.#syncing]) snapshot?.connection.close();
    for (const connection of this.#idle) connection.close();
  }

  #ofThisTurn(): Snapshot {
    if (this.#everything?.connection.inTransaction) return this.#everything;
    // The database ends a transaction at some faults.
    this.rest();
    const shared = this.#kept();
    this.#everything = shared;
    setImmediate(() => {
      if (this.#everything === shared) this.rest();
    });
    return shared;
  }

  #kept(): Snapshot {
    const connection = this.#idle.pop() ?? openToRead(this.#file);
    try {
      run(connection, begin);
      // A transaction sees what is committed when it reads first.
      run(connection, anyRead);
      return { connection, isRead: false, isOver: false };
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  #end(snapshot: Snapshot): void {
    snapshot.isOver = true;
    if (!snapshot.isRead) this.#release(snapshot);
  }

  #release({ connection }: Snapshot): void {
    endAny(connection);
    this.#idle.push(connection);
  }
}
