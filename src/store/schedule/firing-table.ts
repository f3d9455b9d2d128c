import type { EntityManager } from '@mikro-orm/sql';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { FiringEntity, type StoredFiring } from './firing-entity.ts';

/** Final states: only a person's retry leads out of them. */
const ends = ['completed', 'cancelled', 'discarded'];
/** States in which a worker leases the firing. */
const leased = ['running', 'cancelling'];

/** A firing that is to be recorded. */
export type NewFiring = Omit<StoredFiring, 'id' | 'version'>;

/** The firings of schedules. */
export class FiringTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: number): Promise<StoredFiring | undefined> {
    return rowOf(this.#em, FiringEntity, { id });
  }

  /** When the next firing or lease is due, in milliseconds; undefined if none is. */
  async nextDue(): Promise<number | undefined> {
    const [row] = await this.#em.execute<{ due: number | string | null }[]>(
      'select min("due_at") as "due" from "firing"',
    );
    return row?.due == null ? undefined : Number(row.due);
  }

  /** Firings that are due and not leased. */
  waking(now: number, limit: number): Promise<readonly StoredFiring[]> {
    return this.#due(now, { $nin: leased }, limit);
  }

  /** Firings whose lease has ended. */
  expired(now: number, limit: number): Promise<readonly StoredFiring[]> {
    return this.#due(now, { $in: leased }, limit);
  }

  /** All firings that are due after a time, in the order of their ids. Reads `slice` of them at a time. */
  async *ahead(of: number, slice: number): AsyncGenerator<StoredFiring, void> {
    for (let after = 0; ; ) {
      const some = await rowsOf(
        this.#em,
        FiringEntity,
        { dueAt: { $gt: of }, id: { $gt: after } },
        { orderBy: { id: 'asc' }, limit: slice },
      );
      yield* some;
      after = some.at(-1)?.id ?? after;
      if (some.length < slice) return;
    }
  }

  /** Deletes the firings of a schedule for times after `of` that have launched nothing and are not leased. */
  async forgetAhead(schedule: string, of: number): Promise<void> {
    const idle = { $in: ['pending', 'scheduled', 'available', 'cancelled'] };
    await this.#em.nativeDelete(FiringEntity, { schedule, scheduledFor: { $gt: of }, state: idle, agent: null });
  }

  /** The oldest firings in a state with an id after `after`. */
  inState(state: string, limit: number, after = 0): Promise<readonly StoredFiring[]> {
    return rowsOf(this.#em, FiringEntity, { state, id: { $gt: after } }, { orderBy: { id: 'asc' }, limit });
  }

  /** The firings of a schedule that have not ended, the oldest first. */
  liveOf(schedule: string): Promise<readonly StoredFiring[]> {
    return rowsOf(this.#em, FiringEntity, { schedule, state: { $nin: ends } }, { orderBy: { id: 'asc' } });
  }

  /** Firings of a schedule, newest first, before an id. */
  page(schedule: string, before: number | undefined, limit: number): Promise<readonly StoredFiring[]> {
    const where = { schedule, ...(before === undefined ? {} : { id: { $lt: before } }) };
    return rowsOf(this.#em, FiringEntity, where, { orderBy: { id: 'desc' }, limit });
  }

  async forget(schedule: string): Promise<void> {
    await this.#em.nativeDelete(FiringEntity, { schedule });
  }

  /** Deletes firings that ended before a time; returns how many. */
  async prune(before: number, limit: number): Promise<number> {
    const old = await rowsOf(this.#em, FiringEntity, { finalizedAt: { $lt: before } }, { limit, columns: ['id'] });
    return this.#em.nativeDelete(FiringEntity, { id: { $in: old.map(({ id }) => id) } });
  }

  /** Deletes the ended firings of a schedule, except those among its newest `count` firings. */
  async keep(schedule: string, count: number): Promise<void> {
    const newest = await rowsOf(
      this.#em,
      FiringEntity,
      { schedule },
      { orderBy: { id: 'desc' }, limit: count, columns: ['id'] },
    );
    const oldest = newest.at(-1)?.id;
    if (newest.length < count || oldest === undefined) return;
    await this.#em.nativeDelete(FiringEntity, { schedule, id: { $lt: oldest }, finalizedAt: { $ne: null } });
  }

  #due(now: number, state: { $in: string[] } | { $nin: string[] }, limit: number): Promise<readonly StoredFiring[]> {
    return rowsOf(this.#em, FiringEntity, { dueAt: { $lte: now }, state }, { orderBy: { dueAt: 'asc' }, limit });
  }
}
