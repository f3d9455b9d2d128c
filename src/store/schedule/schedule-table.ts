import type { EntityManager } from '@mikro-orm/sql';
import { AgentEntity } from '#store/agent/agent-entity.ts';
import { newestFirst, type Position, past } from '#store/kernel/keyset.ts';
import { limitTo } from '#store/kernel/limit.ts';
import type { LogPositions } from '#store/kernel/log-positions.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { skipLocked } from '#store/kernel/skip-locked.ts';
import { ScheduleEntity, type StoredSchedule } from './schedule-entity.ts';

/** Recurring launches. */
export class ScheduleTable {
  readonly #em: EntityManager;
  readonly #positions: LogPositions;

  constructor(em: EntityManager, positions: LogPositions) {
    this.#em = em;
    this.#positions = positions;
  }

  find(id: string): Promise<StoredSchedule | undefined> {
    return rowOf(this.#em, ScheduleEntity, { id });
  }

  findByName(name: string): Promise<StoredSchedule | undefined> {
    return rowOf(this.#em, ScheduleEntity, { name });
  }

  findAll(ids: readonly string[]): Promise<readonly StoredSchedule[]> {
    return rowsOf(this.#em, ScheduleEntity, { id: { $in: [...ids] } });
  }

  /** A page of schedules, most recently updated first, after a position. */
  page(position: Position | undefined, limit: number): Promise<readonly StoredSchedule[]> {
    return rowsOf(this.#em, ScheduleEntity, past(position), { orderBy: newestFirst, limit });
  }

  /**
   * Schedules whose last fact is after a position in the log or, with an id, at that position and after the id; in that
   * order.
   */
  async movedAfter(
    { seq, id }: { seq: bigint; id: string | undefined },
    limit: number,
  ): Promise<readonly StoredSchedule[]> {
    const settled = await this.#positions.limit('facts');
    const later = { movedSeq: { $gt: seq, ...settled } };
    const where = id === undefined ? later : { $or: [later, { movedSeq: seq, id: { $gt: id } }] };
    return rowsOf(this.#em, ScheduleEntity, where, { orderBy: { movedSeq: 'asc', id: 'asc' }, limit });
  }

  /** Schedules with an occurrence that is due, the longest overdue first. */
  due(now: number, limit: number): Promise<readonly StoredSchedule[]> {
    return rowsOf(this.#em, ScheduleEntity, { nextAt: { $lte: now } }, { orderBy: { nextAt: 'asc' }, limit });
  }

  /** As `due`, for the rest of the transaction, without those that another registry has claimed. */
  async claimDue(now: number, limit: number): Promise<readonly StoredSchedule[]> {
    const end = limitTo(this.#em, limit);
    const claimed = await this.#em.execute<{ id: string }[]>(
      `select "id" from "schedule" where "next_at" <= ? order by "next_at", "id"${end.sql} ${skipLocked(this.#em)}`,
      [now, ...end.parameters],
    );
    const ids = claimed.map(({ id }) => id);
    return rowsOf(this.#em, ScheduleEntity, { id: { $in: ids } }, { orderBy: { nextAt: 'asc', id: 'asc' } });
  }

  /** Armed schedules, in the order of their next occurrences. */
  soonest(limit: number): Promise<readonly StoredSchedule[]> {
    return rowsOf(this.#em, ScheduleEntity, { nextAt: { $ne: null } }, { orderBy: { nextAt: 'asc' }, limit });
  }

  /** Armed schedules in the order of their ids, after an id. */
  armed(after: string, limit: number): Promise<readonly StoredSchedule[]> {
    return rowsOf(
      this.#em,
      ScheduleEntity,
      { id: { $gt: after }, nextAt: { $ne: null } },
      { orderBy: { id: 'asc' }, limit },
    );
  }

  /** Schedules with decisions for times after `of`, because the clock was set back. */
  ahead(of: number, limit: number): Promise<readonly StoredSchedule[]> {
    return rowsOf(this.#em, ScheduleEntity, { decidedUpTo: { $gt: of } }, { limit });
  }

  /** Saves an edit of a schedule. */
  async edit(id: string, columns: Partial<Omit<StoredSchedule, 'id' | 'snapshot' | 'version'>>): Promise<void> {
    await this.#em.nativeUpdate(ScheduleEntity, { id }, columns);
  }

  /** Saves up to when the occurrences of a schedule are decided, and when the next one is. */
  async advance(id: string, place: Pick<StoredSchedule, 'decidedUpTo' | 'nextAt'>): Promise<void> {
    await this.#em.nativeUpdate(ScheduleEntity, { id }, place);
  }

  /** Like `advance`, for several schedules at once. Most advance to the same time, and are written together. */
  async advanceAll(
    places: readonly Pick<StoredSchedule, 'id' | 'decidedUpTo' | 'nextAt'>[],
    moved: Pick<StoredSchedule, 'movedSeq' | 'updatedAt'>,
  ): Promise<void> {
    const alike = Map.groupBy(places, ({ decidedUpTo, nextAt }) => `${decidedUpTo} ${nextAt}`);
    for (const group of alike.values()) {
      const [{ decidedUpTo = 0, nextAt = null } = {}] = group;
      const ids = group.map(({ id }) => id);
      await this.#em.nativeUpdate(ScheduleEntity, { id: { $in: ids } }, { decidedUpTo, nextAt, ...moved });
    }
  }

  /** Saves that the newest fact is about a schedule. */
  async touch(id: string, moved: Pick<StoredSchedule, 'movedSeq' | 'updatedAt'>): Promise<void> {
    await this.#em.nativeUpdate(ScheduleEntity, { id }, moved);
  }

  /** Hides the agents that a schedule launched, or shows them. */
  async hideAgents(id: string, hidden: boolean): Promise<void> {
    await this.#em.nativeUpdate(AgentEntity, { scheduleId: id }, { hidden });
  }

  async remove(id: string): Promise<void> {
    await this.#em.nativeDelete(ScheduleEntity, { id });
  }
}
