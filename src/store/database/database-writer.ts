import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type DatabaseAnswer, type DatabaseCall, type TravellingError, unpackError } from './database-call.ts';
import type { Statement, StatementResult } from './native-database.ts';

/**
 * How long this thread waits synchronously for a statement, in milliseconds; it waits asynchronously for a longer one.
 */
const quickMs = 5;

/**
 * The one connection that writes a database, in its own thread: SQLite waits for the disk with all of its thread, and
 * here nothing else waits with it. What goes wrong there by a fault of muster's own ends like any error that nobody
 * handled.
 */
export class DatabaseWriter {
  readonly #thread: Worker;
  readonly #port;
  /** How many calls were answered, as the thread counts them in 32 bits. */
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  /** How many there were, counted alike. */
  #calls = 0;
  readonly #waiting: PromiseWithResolvers<StatementResult>[] = [];
  #hasEnded = false;

  private constructor(onFault: (error: Error) => void) {
    const { port1: near, port2: far } = new MessageChannel();
    this.#port = near;
    const workerData = { port: far, answered: this.#answered };
    this.#thread = new Worker(new URL('./database-worker.ts', import.meta.url), { workerData, transferList: [far] });
    this.#thread.unref();
    this.#thread.on('message', (error: TravellingError) => onFault(unpackError(error)));
    this.#thread.on('exit', () => {
      this.#hasEnded = true;
      near.close();
      for (const { reject } of this.#waiting.splice(0)) reject(ended());
    });
    near.on('message', (answer: DatabaseAnswer) => this.#take(answer));
    near.unref();
  }

  /**
   * Opens a database; it is made if there is none. `onFault` is notified of what is found wrong with its file while it
   * is open.
   * @throws DATA_LOSS when the file is damaged, INTERNAL when it cannot be made durable; SQLite's own errors.
   */
  static async open(file: string, onFault: (error: Error) => void): Promise<DatabaseWriter> {
    const writer = new DatabaseWriter(onFault);
    try {
      await writer.#ask({ kind: 'open', file });
      return writer;
    } catch (error) {
      await writer.#thread.terminate();
      throw error;
    }
  }

  /**
   * Runs a statement. Within a transaction it waits for no disk, so it is waited for on the spot: where each let all
   * else go first, a write would take as many turns of a busy process as it has statements.
   */
  run({ sql, parameters }: Statement): Promise<StatementResult> {
    const isNext = this.#waiting.length === 0;
    const asked = this.#ask({ kind: 'run', sql, parameters });
    const received = isNext && this.#isQuick() ? receiveMessageOnPort(this.#port) : undefined;
    if (received !== undefined) this.#take(received.message as DatabaseAnswer);
    return asked;
  }

  /** Begins a transaction that has the database's lock at once. */
  async begin(): Promise<void> {
    await this.#ask({ kind: 'begin' });
  }

  /** Ends once all of the transaction is on the disk. */
  async commit(): Promise<void> {
    await this.#ask({ kind: 'commit' });
  }

  /** Takes back what is left of a transaction, if anything. */
  async rollback(): Promise<void> {
    await this.#ask({ kind: 'rollback' });
  }

  async close(): Promise<void> {
    try {
      await this.#ask({ kind: 'close' });
    } finally {
      await this.#thread.terminate();
    }
  }

  #ask(call: DatabaseCall): Promise<StatementResult> {
    if (this.#hasEnded) return Promise.reject(ended());
    const asked = Promise.withResolvers<StatementResult>();
    // Whoever waits for an answer keeps the process, and a thread that waits for calls does not.
    this.#port.ref();
    this.#waiting.push(asked);
    this.#calls = (this.#calls + 1) | 0;
    this.#port.postMessage(call);
    return asked.promise;
  }

  /** Waits on the spot for the answer to the last call; returns whether it has come. */
  #isQuick(): boolean {
    const until = performance.now() + quickMs;
    for (;;) {
      const answered = Atomics.load(this.#answered, 0);
      if (answered === this.#calls) return true;
      const left = until - performance.now();
      if (left <= 0) return false;
      Atomics.wait(this.#answered, 0, answered, left);
    }
  }

  /** Hands an answer to whoever asked first. */
  #take(answer: DatabaseAnswer): void {
    const asked = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#port.unref();
    if ('error' in answer) asked?.reject(unpackError(answer.error));
    else asked?.resolve(answer.result);
  }
}

function ended(): Error {
  return new Error('The thread that writes the database has ended');
}
