import { realpathSync, statSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import type { StatementResult } from '#store/database/statement.ts';
import { type DatabaseAnswer, type DatabaseCall, type DatabaseFault, packError } from './database-call.ts';
import { openToWrite, run } from './native-database.ts';
import { requirePages } from './page-comparison.ts';
import { PageLedger } from './page-ledger.ts';
import { movedAway } from './sqlite-fault.ts';

// The thread that writes the database, started by `DatabaseThread`: better-sqlite3 blocks its thread while it waits for
// the disk.

/** The connection that writes. */
class WritingConnection {
  readonly #database: Database;
  readonly #file: string;
  readonly #opened = new Map<string, number>();
  readonly #ledger: PageLedger;

  constructor(file: string, onFault: (error: Error) => void) {
    requirePages(file);
    this.#database = openToWrite(file);
    this.#file = realpathSync(file);
    this.#requireSameFile();
    this.#ledger = new PageLedger(file, this.#database, onFault);
  }

  do(call: Exclude<DatabaseCall, { kind: 'open' }>): StatementResult {
    const database = this.#database;
    switch (call.kind) {
      case 'run':
        // The ledger must see each page that a checkpoint writes to the file.
        if (call.sql.startsWith('pragma wal_checkpoint')) this.#ledger.checkpoint();
        return run(database, call);
      case 'begin':
        this.#requireSameFile();
        // Takes the lock at once, so that no transaction fails halfway because another program holds it.
        database.exec('begin immediate');
        break;
      case 'commit':
        database.exec('commit');
        break;
      case 'rollback':
        if (database.inTransaction) database.exec('rollback');
        break;
      case 'close':
        this.#close();
    }
    return { rows: [] };
  }

  /** Does what can wait until the caller of a write has its answer. */
  after({ kind }: DatabaseCall): void {
    if (kind !== 'commit' && (kind !== 'run' || this.#database.inTransaction)) return;
    try {
      this.#ledger.afterWrite();
    } catch {
      // As with SQLite's own checkpoints, the log grows until a later one succeeds.
    }
  }

  #close(): void {
    try {
      this.#ledger.checkpoint();
    } catch {
      // SQLite retries the checkpoint when it closes.
    }
    this.#database.close();
    this.#ledger.close();
  }

  /**
   * Refuses a write if the database or its log was moved, removed or replaced: SQLite would keep writing to the old
   * file, and the next start would not find what was committed since.
   */
  #requireSameFile(): void {
    for (const path of [this.#file, `${this.#file}-wal`]) {
      const now = statSync(path, { throwIfNoEntry: false })?.ino;
      const before = this.#opened.get(path);
      if (before !== undefined && before !== now) throw movedAway(path);
      if (now !== undefined) this.#opened.set(path, now);
    }
  }
}

const { port, answered } = workerData as {
  readonly port: MessagePort;
  readonly answered: Int32Array<SharedArrayBuffer>;
};
let connection: WritingConnection | undefined;
let openings = 0;

function open(file: string): WritingConnection {
  openings += 1;
  const opening = openings;
  return new WritingConnection(file, (error) => {
    const fault: DatabaseFault = { opening, error: packError(error) };
    parentPort?.postMessage(fault);
  });
}

function answer(call: DatabaseCall): DatabaseAnswer {
  try {
    if (call.kind === 'open') {
      connection = open(call.file);
      return { result: { rows: [] } };
    }
    if (connection === undefined) throw new Error('The database is not open');
    const result = connection.do(call);
    if (call.kind === 'close') connection = undefined;
    return { result };
  } catch (error) {
    return { error: packError(error) };
  }
}

port.on('message', (call: DatabaseCall) => {
  port.postMessage(answer(call));
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
  connection?.after(call);
});
