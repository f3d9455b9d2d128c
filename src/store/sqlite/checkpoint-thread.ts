import { MessageChannel, Worker } from 'node:worker_threads';
import { type CheckpointAnswer, type CheckpointCall, type CheckpointNotice, unpackError } from './checkpoint-call.ts';

/** What the thread reports on its own about an open database. */
export interface CheckpointListener {
  /** A fault of the database's file. */
  readonly onFault: (error: Error) => void;
  /** The thread needs a `tend` call, while nothing is written. */
  readonly onDue: () => void;
}

/** A thread that runs the checkpoints of one open database at a time, and answers calls in their order. */
export class CheckpointThread {
  readonly #thread: Worker;
  readonly #port;
  /** Counts the commits of the open database, modulo 2³². */
  readonly #commits = new Int32Array(new SharedArrayBuffer(4));
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #hasEnded = false;
  /** How many databases were opened in this thread. */
  #openings = 0;
  /** Of the last one. */
  #listener: CheckpointListener | undefined;

  constructor() {
    const { port1: near, port2: far } = new MessageChannel();
    this.#port = near;
    const workerData = { port: far, commits: this.#commits };
    this.#thread = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData, transferList: [far] });
    this.#thread.on('message', ({ opening, fault }: CheckpointNotice) => {
      // A notice about a database that closes may arrive after the next one is open.
      if (opening !== this.#openings) return;
      if (fault === undefined) this.#listener?.onDue();
      else this.#listener?.onFault(unpackError(fault));
    });
    this.#thread.on('exit', () => {
      this.#hasEnded = true;
      near.close();
      for (const { reject } of this.#waiting.splice(0)) reject(ended());
    });
    // A listener keeps the process alive again, so this comes after the listeners.
    this.#thread.unref();
    near.on('message', (answer: CheckpointAnswer) => this.#take(answer));
    near.unref();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  async open(file: string, listener: CheckpointListener): Promise<void> {
    this.#openings += 1;
    this.#listener = listener;
    await this.ask({ kind: 'open', file });
  }

  async close(foreignWrites: number | undefined): Promise<void> {
    await this.ask({ kind: 'close', foreignWrites });
    this.#listener = undefined;
  }

  /** Lets the thread see that the log has grown. */
  committed(): void {
    Atomics.add(this.#commits, 0, 1);
  }

  ask(call: CheckpointCall): Promise<void> {
    if (this.#hasEnded) return Promise.reject(ended());
    const asked = Promise.withResolvers<void>();
    // A call that waits for its answer keeps the process alive; an idle thread does not.
    this.#port.ref();
    this.#waiting.push(asked);
    this.#port.postMessage(call);
    return asked.promise;
  }

  async end(): Promise<void> {
    await this.#thread.terminate();
  }

  /** Passes an answer to the oldest waiting call. */
  #take(answer: CheckpointAnswer): void {
    const asked = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#port.unref();
    if ('error' in answer) asked?.reject(unpackError(answer.error));
    else asked?.resolve();
  }
}

function ended(): Error {
  return new Error('The thread that runs checkpoints has ended');
}
