import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { type CheckpointAnswer, type CheckpointCall, type CheckpointNotice, packError } from './checkpoint-call.ts';
import { openToCheckpoint } from './native-database.ts';
import { requirePages } from './page-comparison.ts';
import { PageLedger } from './page-ledger.ts';

// The thread that runs checkpoints, started by `CheckpointThread`: they wait for the disk, and better-sqlite3 blocks its
// thread meanwhile.

/** How often the thread looks whether the log has become long, in milliseconds. */
const lookEvery = 1_000;

const { port, commits } = workerData as {
  readonly port: MessagePort;
  readonly commits: Int32Array<SharedArrayBuffer>;
};

/** The connection that runs checkpoints. */
class CheckpointConnection {
  readonly #database: Database;
  readonly #ledger: PageLedger;
  readonly #looking: NodeJS.Timeout;
  #seen = Atomics.load(commits, 0);

  constructor(file: string, notify: (notice: Omit<CheckpointNotice, 'opening'>) => void) {
    requirePages(file);
    this.#database = openToCheckpoint(file);
    const onFault = (error: Error): void => notify({ fault: packError(error) });
    const onDue = (): void => notify({});
    this.#ledger = new PageLedger(file, this.#database, { onFault, onDue });
    this.#looking = setInterval(() => this.#look(), lookEvery);
  }

  do(call: Exclude<CheckpointCall, { kind: 'open' }>): void {
    if (call.kind === 'close') this.#close(call.foreignWrites);
    else if (call.kind === 'checkpoint') this.#ledger.checkpointNow(call.foreignWrites);
    else this.#tend(call.foreignWrites);
  }

  #tend(foreignWrites: number): void {
    try {
      this.#ledger.tend(foreignWrites);
    } catch {
      // As with SQLite's own checkpoints, the log grows until a later one succeeds.
    }
  }

  #look(): void {
    const now = Atomics.load(commits, 0);
    if (now === this.#seen) return;
    this.#seen = now;
    try {
      this.#ledger.look();
    } catch {
      // The next look, or the next checkpoint, meets the same fault.
    }
  }

  #close(foreignWrites: number | undefined): void {
    clearInterval(this.#looking);
    try {
      if (foreignWrites !== undefined) this.#ledger.checkpoint(foreignWrites);
    } catch {
      // SQLite retries the checkpoint when it closes.
    }
    this.#database.close();
    this.#ledger.close();
  }
}

let connection: CheckpointConnection | undefined;
let openings = 0;

function open(file: string): CheckpointConnection {
  openings += 1;
  const opening = openings;
  return new CheckpointConnection(file, (notice) => parentPort?.postMessage({ opening, ...notice }));
}

function answer(call: CheckpointCall): CheckpointAnswer {
  try {
    if (call.kind === 'open') {
      connection = open(call.file);
      return { done: true };
    }
    if (connection === undefined) throw new Error('The database is not open');
    connection.do(call);
    if (call.kind === 'close') connection = undefined;
    return { done: true };
  } catch (error) {
    return { error: packError(error) };
  }
}

port.on('message', (call: CheckpointCall) => port.postMessage(answer(call)));
