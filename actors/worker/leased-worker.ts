import { isTransient } from '#contract/transient.ts';
import type { LeasedWork } from './leased-work.ts';
import type { Service } from './service.ts';
import type { WorkOutcome } from './work-figures.ts';
import type { WorkScope } from './work-scope.ts';

/** The pause before a result that could not be written is written again, in milliseconds. */
const settlesAgainAfter = 1_000;
/** How long before its lease expires a worker treats it as lost, in milliseconds: its clock may be inexact. */
const distrust = 1_000;

/** Why work is aborted. */
type AbortReason = 'stopped' | 'lost';

/** Claims rows, works on several of them at once, and renews their leases meanwhile. */
export class LeasedWorker<Item, Result> implements Service {
  readonly #work: LeasedWork<Item, Result>;
  readonly #scope: WorkScope;
  readonly #running = new Map<Promise<void>, AbortController>();
  #filling: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(work: LeasedWork<Item, Result>, scope: WorkScope) {
    this.#work = work;
    this.#scope = scope;
  }

  /** Claims as many rows as there is room for. Resolves once they are claimed. */
  fill(): Promise<void> {
    const filled = this.#filling.then(() => this.#fill());
    this.#filling = filled.catch(() => undefined);
    return filled;
  }

  /** Resolves once no row is claimed. */
  async settled(): Promise<void> {
    await this.#filling;
    while (this.#running.size > 0) {
      await Promise.all(this.#running.keys());
      await this.#filling;
    }
  }

  /** Aborts the work in progress. Rows whose work is done anyway are settled, the others are released. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#running.values()) cancel.abort('stopped' satisfies AbortReason);
    await this.settled();
  }

  async #fill(): Promise<void> {
    while (!this.#isStopped) {
      const { free, expired } = await this.#work.due();
      if (expired) await this.#work.rescue();
      const room = this.#work.atOnce - this.#running.size;
      if (room <= 0 || !(free || expired)) return;
      const claimed = await this.#work.claim(room);
      for (const item of claimed) this.#take(item);
      if (claimed.length === 0) return;
    }
  }

  #take(item: Item): void {
    const cancel = new AbortController();
    if (this.#isStopped) cancel.abort('stopped' satisfies AbortReason);
    const done: Promise<void> = this.#keep(item, cancel)
      .catch((error: unknown) => {
        this.#count('failed');
        this.#note('error', item, error, 'leased work was dropped: its lease will expire');
      })
      .finally(() => {
        this.#running.delete(done);
        // If this fails, the next poll claims the rows.
        if (!this.#isStopped) void this.fill().catch(() => undefined);
      });
    this.#running.set(done, cancel);
  }

  /** Does the work, and renews its lease meanwhile. */
  async #keep(item: Item, cancel: AbortController): Promise<void> {
    const done = new AbortController();
    const beating = this.#beat(item, cancel, done.signal);
    try {
      await this.#perform(item, cancel.signal);
    } finally {
      done.abort();
      await beating;
    }
  }

  async #perform(item: Item, signal: AbortSignal): Promise<void> {
    let isSettled = false;
    try {
      isSettled = await this.#settle(item, await this.#work.perform(item, signal), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      if (signal.reason === ('stopped' satisfies AbortReason)) {
        await this.#work.release(item);
        return this.#count('released');
      }
    }
    this.#count(isSettled ? 'settled' : 'lost');
    if (!isSettled) this.#note('warn', item, undefined, 'leased work finished too late: its lease had expired');
  }

  /** Records a result, and retries while the lease is valid. */
  async #settle(item: Item, result: Result, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        return await this.#work.settle(item, result);
      } catch (error) {
        if (!isTransient(error) || signal.aborted) throw error;
        this.#note('warn', item, error, 'the result of leased work could not be written yet');
        await this.#scope.timer.sleep(settlesAgainAfter, signal);
      }
    }
  }

  /**
   * Renews the lease until the work is done. If that does not succeed in time, treats it as lost and aborts the work.
   */
  async #beat(item: Item, cancel: AbortController, done: AbortSignal): Promise<void> {
    const { timer } = this.#scope;
    const { lease, heartbeat } = this.#work;
    for (let renewedAt = timer.now(); ; ) {
      const left = renewedAt + lease - distrust - timer.now();
      if (left <= 0) return cancel.abort('lost' satisfies AbortReason);
      await timer.sleep(Math.min(heartbeat, left), done).catch(() => undefined);
      if (done.aborted) return;
      const at = timer.now();
      try {
        if (!(await this.#work.renew(item))) return cancel.abort('lost' satisfies AbortReason);
        renewedAt = at;
      } catch (error) {
        this.#note('warn', item, error, 'a lease could not be renewed');
      }
    }
  }

  #note(level: 'warn' | 'error', item: Item, err: unknown, message: string): void {
    const fields = { worker: this.#work.name, ...this.#work.about(item), ...(err !== undefined && { err }) };
    this.#scope.log[level](fields, message);
  }

  #count(outcome: WorkOutcome): void {
    this.#scope.work.count(this.#work.name, outcome);
  }
}
