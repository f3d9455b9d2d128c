import type { WriteTurn } from '#store/database/engine.ts';
import type { Turns } from '#store/database/turns.ts';
import { LockRetry } from './lock-retry.ts';
import type { SqliteTransaction } from './sqlite-transaction.ts';

/** Work in a transaction. */
export type TransactionWork<T> = (transaction: SqliteTransaction) => Promise<T>;

/** How many writes share a commit, and for how long a commit waits for more of them, in milliseconds. */
const [maxWrites, maxMs] = [8, 10];

/** A write that waits for the commit of its group. */
interface Member {
  /** Runs the work. Throws only if the transaction of the whole group has ended. */
  readonly run: (transaction: SqliteTransaction) => Promise<void>;
  /** Resolves with the commit, and rejects if nothing of the group is written. */
  readonly committed: PromiseWithResolvers<void>;
}

/** The writes of an open transaction, in the order in which they run and end. */
interface Group {
  readonly members: Member[];
}

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
    let outcome: (() => T) | undefined;
    const member: Member = {
      committed: Promise.withResolvers(),
      async run(transaction) {
        try {
          const done = await within(transaction.nested(), work);
          outcome = () => done;
        } catch (error) {
          // Some faults, such as a full disk, end the transaction of the whole group.
          if (transaction.hasEnded) throw error;
          outcome = () => {
            throw error;
          };
        } finally {
          over?.();
        }
      },
    };
    const start = (begins: () => void): Promise<void> => this.#attempts(() => this.#run(member, begins));
    if (this.#open === undefined) this.#retry.run(start, patienceMs).catch(member.committed.reject);
    else this.#open.members.push(member);
    await member.committed.promise;
    if (outcome === undefined) throw new Error('The write did not run');
    return outcome();
  }

  async #run(first: Member, begins: () => void): Promise<void> {
    const transaction = this.#begin();
    begins();
    const group: Group = { members: [first] };
    const { members } = group;
    this.#open = group;
    const until = performance.now() + maxMs;
    try {
      for (let writes = 1; writes <= members.length; writes += 1) {
        if (writes >= maxWrites || performance.now() > until) this.#close(group);
        await members[writes - 1]?.run(transaction);
        // A write that is next in line begins, and joins, before the queue of microtasks is empty.
        if (writes === members.length) await new Promise<void>((resolve) => process.nextTick(resolve));
      }
      this.#close(group);
      transaction.commit();
      for (const { committed } of members) committed.resolve();
    } catch (error) {
      this.#close(group);
      transaction.rollback();
      for (const { committed } of members) committed.reject(error);
    }
  }

  /** Lets no more writes join a group. Those that have joined still run in it. */
  #close(group: Group): void {
    if (this.#open === group) this.#open = undefined;
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
