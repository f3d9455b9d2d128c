import type Database from 'better-sqlite3';
import { anyRead, begin, endAny, openToRead, run } from './native-database.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';

/** A connection in a transaction that reads. */
interface Snapshot {
  readonly connection: Database;
  /** How many reads use it now. */
  reads: number;
  /** Whether it ends with the last of them. */
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
  /** How many checkpoints run, which a transaction that outlasts its read would hold up. */
  #checkpoints = 0;

  /** @param connection one that can only read */
  constructor(connection: Database) {
    this.#idle = [connection];
    this.#file = connection.name;
  }

  /** Begins a transaction that reads. */
  begin(): SqliteTransaction {
    const snapshot = this.#stored ?? this.#everythingNow();
    snapshot.reads += 1;
    const end = (): void => {
      snapshot.reads -= 1;
      if (snapshot.isOver && snapshot.reads === 0) this.#release(snapshot);
    };
    return new SqliteTransaction(snapshot.connection, { commit: end, rollback: end });
  }

  /** Keeps what is on the disk, all of which is committed, before the next commit. Returns how to undo that. */
  keepStored(): () => void {
    const kept = this.#ofThisTurn();
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

  /** Runs a checkpoint. Until it has ended, no transaction outlasts its read. */
  async during<T>(checkpoint: () => Promise<T>): Promise<T> {
    this.#checkpoints += 1;
    this.endTurn();
    try {
      return await checkpoint();
    } finally {
      this.#checkpoints -= 1;
    }
  }

  /** Ends what the reads of this turn share: those that begin now see everything. */
  endTurn(): void {
    const shared = this.#everything;
    this.#everything = undefined;
    if (shared !== undefined) this.#end(shared);
  }

  close(): void {
    this.endTurn();
    for (const snapshot of [this.#stored, this.#syncing]) snapshot?.connection.close();
    for (const connection of this.#idle) connection.close();
  }

  #everythingNow(): Snapshot {
    return this.#checkpoints > 0 ? { ...this.#kept(), isOver: true } : this.#ofThisTurn();
  }

  #ofThisTurn(): Snapshot {
    if (this.#everything?.connection.inTransaction) return this.#everything;
    // The database ends a transaction at some faults.
    this.endTurn();
    const shared = this.#kept();
    this.#everything = shared;
    setImmediate(() => {
      if (this.#everything === shared) this.endTurn();
    });
    return shared;
  }

  #kept(): Snapshot {
    const connection = this.#idle.pop() ?? openToRead(this.#file);
    try {
      run(connection, begin);
      // A transaction sees what is committed when it reads first.
      run(connection, anyRead);
      return { connection, reads: 0, isOver: false };
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  #end(snapshot: Snapshot): void {
    snapshot.isOver = true;
    if (snapshot.reads === 0) this.#release(snapshot);
  }

  /** Nobody waits for the end of a transaction that many shared: if it fails, only its connection is given up. */
  #release({ connection }: Snapshot): void {
    try {
      endAny(connection);
      this.#idle.push(connection);
    } catch {
      connection.close();
    }
  }
}
