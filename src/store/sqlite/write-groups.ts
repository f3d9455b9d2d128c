import type { WriteTurn } from '#store/database/engine.ts';
import type { Turns } from '#store/database/turns.ts';
import { LockRetry } from './lock-retry.ts';
import type { SqliteTransaction } from './sqlite-transaction.ts';

/** Work in a transaction. */
export type TransactionWork<T> = (transaction: SqliteTransaction) => Promise<T>;

/** How many writes share a commit, and for how long a commit waits for more of them, in milliseconds. */
const [maxWrites, maxMs] = [8, 10];

/** A write in its group. It runs in its own asynchronous context, which names the trace of what it writes. */
class Member {
  /** Resolves when it is its turn, with the transaction of the group; rejects if the group cannot run it. */
  readonly turn = Promise.withResolvers<SqliteTransaction>();
  /** Resolves when its work has ended; rejects if the transaction of the whole group has ended. */
  readonly done = Promise.withResolvers<void>();
  /** Resolves with the commit, and rejects if nothing of the group is written. */
  readonly committed = Promise.withResolvers<void>();

  constructor() {
    // Those that nobody awaits in time.
    for (const { promise } of [this.done, this.committed]) promise.catch(() => undefined);
  }

  fail(error: unknown): void {
    this.turn.reject(error);
    this.committed.reject(error);
  }
}

/** The writes of an open transaction, in the order in which they run and end. */
type Group = Member[];

/**
 * Commits writes that queue up together: a commit takes as long as a write, and writes of one group change many of the
 * same pages. Each write is atomic on its own, and one that fails leaves the others as they are.
 */
export class WriteGroups {
  // Queues attempts, not whole writes, so that a writability check can overtake a write that waits for the lock.
  readonly #attempts: Turns;
  readonly #begin: () => SqliteTransaction;
  readonly #retry = new LockRetry();
  #open: Group | undefined;

  /**
   * @param attempts runs one group at a time
   * @param begin begins a transaction that writes
   */
  constructor(attempts: Turns, begin: () => SqliteTransaction) {
    this.#attempts = attempts;
    this.#begin = begin;
  }

  /**
   * Runs work in one transaction with what else waits to be written. `over` is called once the next write may join.
   * @throws as the work; the database's error when its group was not committed
   */
  async write<T>(work: TransactionWork<T>, { patienceMs, over }: WriteTurn): Promise<T> {
    const member = new Member();
    this.#enter(member, patienceMs);
    const transaction = await member.turn.promise;
    let outcome: () => T;
    try {
      const result = await within(transaction.nested(), work);
      outcome = () => result;
    } catch (error) {
      // Some faults, such as a full disk, end the transaction of the whole group.
      if (transaction.hasEnded) member.done.reject(error);
      outcome = () => {
        throw error;
      };
    } finally {
      over?.();
      member.done.resolve();
    }
    await member.committed.promise;
    return outcome();
  }

  #enter(member: Member, patienceMs: number): void {
    if (this.#open === undefined) {
      const start = (begins: () => void): Promise<void> => this.#attempts(() => this.#run(member, begins));
      this.#retry.run(start, patienceMs).catch((error: unknown) => member.fail(error));
      return;
    }
    this.#open.push(member);
    if (this.#open.length >= maxWrites) this.#open = undefined;
  }

  async #run(first: Member, begins: () => void): Promise<void> {
    const transaction = this.#begin();
    begins();
    const group: Group = [first];
    this.#open = group;
    const until = performance.now() + maxMs;
    try {
      for (let place = 0; place < group.length; place += 1) {
        if (performance.now() > until) this.#close(group);
        group[place]?.turn.resolve(transaction);
        await group[place]?.done.promise;
        // A write that is next in line begins, and joins, before the queue of microtasks is empty.
        if (place === group.length - 1) await new Promise<void>((resolve) => process.nextTick(resolve));
      }
      this.#close(group);
      transaction.commit();
      for (const { committed } of group) committed.resolve();
    } catch (error) {
      this.#close(group);
      rollBack(transaction);
      for (const member of group) member.fail(error);
    }
    // However many writes wait, messages and timers get their turn.
    if (group.length >= maxWrites) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Lets no more writes join a group. Those that have joined still run in it. */
  #close(group: Group): void {
    if (this.#open === group) this.#open = undefined;
  }
}

/** If it cannot be rolled back, the next group cannot begin, and says so. */
function rollBack(transaction: SqliteTransaction): void {
  try {
    transaction.rollback();
  } catch {
    // The error that led here is the one to report.
  }
}

/** Runs work in a transaction: commits it, or rolls it back if the work throws. */
export async function within<T>(transaction: SqliteTransaction, work: TransactionWork<T>): Promise<T> {
  try {
    const done = await work(transaction);
    transaction.commit();
    return done;
  } catch (error) {
    transaction.rollback();
    throw error;
  }
}
