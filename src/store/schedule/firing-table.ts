import type { EntityManager } from '@mikro-orm/sql';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { FiringEntity, type StoredFiring } from './firing-entity.ts';

/** States that nothing leads out of but a person's retry. */
const ends = ['completed', 'cancelled', 'discarded'];
/** States in which a worker has it. */
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

  /** Firings that wait for a time which has come. */
  waking(now: number, limit: number): Promise<readonly StoredFiring[]> {
    return this.#due(now, { $nin: leased }, limit);
  }

  /** Firings whose lease has ended. */
  expired(now: number, limit: number): Promise<readonly StoredFiring[]> {
    return this.#due(now, { $in: leased }, limit);
  }

  /** All firings that are due later than a time, by their ids; `slice` of them are read at once. */
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

  /** Forgets the firings of a schedule for times after one that have launched nothing and are not being worked at. */
  async forgetAhead(schedule: string, of: number): Promise<void> {
    const idle = { $in: ['pending', 'scheduled', 'available', 'cancelled'] };
    await this.#em.nativeDelete(FiringEntity, { schedule, scheduledFor: { $gt: of }, state: idle, agent: null });
  }

  /** The oldest firings in a state, of those after an id. */
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

  /** Forgets firings that ended before a time; returns how many. */
  async prune(before: number, limit: number): Promise<number> {
    const old = await rowsOf(this.#em, FiringEntity, { finalizedAt: { $lt: before } }, { limit, columns: ['id'] });
    return this.#em.nativeDelete(FiringEntity, { id: { $in: old.map(({ id }) => id) } });
  }

  /** Forgets the firings of a schedule that ended, except the newest ones. */
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
