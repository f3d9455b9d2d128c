import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { StatementResult } from '#store/database/statement.ts';
import { type DatabaseAnswer, type DatabaseCall, type DatabaseFault, unpackError } from './database-call.ts';

/**
 * How long the caller waits synchronously for a statement, in milliseconds. It waits asynchronously for a longer one.
 */
const quickMs = 5;

/** A thread that has one database open at a time and answers calls in their order. */
export class DatabaseThread {
  readonly #thread: Worker;
  readonly #port;
  /** How many calls the thread has answered, modulo 2³². */
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  /** How many calls were sent, modulo 2³². */
  #calls = 0;
  readonly #waiting: PromiseWithResolvers<StatementResult>[] = [];
  #hasEnded = false;
  /** How many databases were opened in this thread. */
  #openings = 0;
  /** Called with faults of the last one. */
  #onFault: ((error: Error) => void) | undefined;

  constructor() {
    const { port1: near, port2: far } = new MessageChannel();
    this.#port = near;
    const workerData = { port: far, answered: this.#answered };
    this.#thread = new Worker(new URL('./database-worker.ts', import.meta.url), { workerData, transferList: [far] });
    this.#thread.on('message', ({ opening, error }: DatabaseFault) => {
      // A fault that is found while a database closes may arrive after the next one is open.
      if (opening === this.#openings) this.#onFault?.(unpackError(error));
    });
    this.#thread.on('exit', () => {
      this.#hasEnded = true;
      near.close();
      for (const { reject } of this.#waiting.splice(0)) reject(ended());
    });
    // A listener keeps the process alive again, so this comes after the listeners.
    this.#thread.unref();
    near.on('message', (answer: DatabaseAnswer) => this.#take(answer));
    near.unref();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Opens a database. `onFault` is called with faults that are found in its file while it is open. */
  async open(file: string, onFault: (error: Error) => void): Promise<void> {
    this.#openings += 1;
    this.#onFault = onFault;
    await this.ask({ kind: 'open', file });
  }

  async close(): Promise<void> {
    await this.ask({ kind: 'close' });
    this.#onFault = undefined;
  }

  ask(call: DatabaseCall): Promise<StatementResult> {
    if (this.#hasEnded) return Promise.reject(ended());
    const asked = Promise.withResolvers<StatementResult>();
    // A call that waits for its answer keeps the process alive; an idle thread does not.
    this.#port.ref();
    this.#waiting.push(asked);
    this.#calls = (this.#calls + 1) | 0;
    this.#port.postMessage(call);
    return asked.promise;
  }

  /** As `ask`, but if no other call is waiting, a quick one is answered before this returns. */
  askAtOnce(call: DatabaseCall): Promise<StatementResult> {
    const isNext = this.#waiting.length === 0;
    const asked = this.ask(call);
    const received = isNext && this.#isQuick() ? receiveMessageOnPort(this.#port) : undefined;
    if (received !== undefined) this.#take(received.message as DatabaseAnswer);
    return asked;
  }

  async end(): Promise<void> {
    await this.#thread.terminate();
  }

  /** Waits synchronously for the answer to the last call; returns whether it has arrived. */
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

  /** Passes an answer to the oldest waiting call. */
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
