import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { limitTo } from '#store/kernel/limit.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { skipLocked } from '#store/kernel/skip-locked.ts';
import { NoticeEntity, type StoredNotice } from './notice-entity.ts';

/** A notification that is to be recorded. */
export type NewNotice = Pick<StoredNotice, 'agent' | 'through' | 'target' | 'body'>;

/** Notifications that were not delivered yet. */
export class NoticeTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Records notifications, to be sent after so many milliseconds. */
  async add(notices: readonly NewNotice[], afterMs = 0): Promise<void> {
    const dueAt = this.#clock.now() + afterMs;
    for (const notice of notices)
      await this.#em.insert(NoticeEntity, { ...notice, tries: 0, fence: 0, dueAt } as never);
  }

  /** Notifications that are due, the longest overdue first. */
  async due(limit: number): Promise<readonly StoredNotice[]> {
    const where = { dueAt: { $lte: this.#clock.now() } };
    return rowsOf(this.#em, NoticeEntity, where, { orderBy: { dueAt: 'asc', id: 'asc' }, limit });
  }

  /**
   * Claims due notifications for this many milliseconds, each with its own fencing token. No other sender takes them.
   */
  async claim(limit: number, leaseMs: number): Promise<readonly StoredNotice[]> {
    const now = this.#clock.now();
    const end = limitTo(this.#em, limit);
    const claimed = await this.#em.execute<{ id: number }[]>(
      `update "notice" set "due_at" = ?, "fence" = "fence" + 1 where "id" in (
        select "id" from "notice" where "due_at" <= ? order by "due_at", "id"${end.sql} ${skipLocked(this.#em)}
      ) returning "id"`,
      [now + leaseMs, now, ...end.parameters],
    );
    const ids = claimed.map(({ id }) => id);
    return rowsOf(this.#em, NoticeEntity, { id: { $in: ids } }, { orderBy: { id: 'asc' } });
  }

  /** Postpones a notification that was not delivered; false if another sender has claimed it since. */
  async putOff({ id, fence, tries }: StoredNotice, afterMs: number): Promise<boolean> {
    const put = { tries: tries + 1, dueAt: this.#clock.now() + afterMs };
    return (await this.#em.nativeUpdate(NoticeEntity, { id, fence }, put)) > 0;
  }

  /** Postpones a notification that was not tried; false if another sender has claimed it since. */
  async defer({ id, fence }: StoredNotice, afterMs: number): Promise<boolean> {
    return (await this.#em.nativeUpdate(NoticeEntity, { id, fence }, { dueAt: this.#clock.now() + afterMs })) > 0;
  }

  /** Moves the due time of every notification by this many milliseconds, because the clock was set by as much. */
  async shift(milliseconds: number): Promise<void> {
    await this.#em.execute('update "notice" set "due_at" = "due_at" + ?', [milliseconds]);
  }

  /** Deletes a notification that no longer needs to be sent; false if another sender has claimed it since. */
  async remove({ id, fence }: StoredNotice): Promise<boolean> {
    return (await this.#em.nativeDelete(NoticeEntity, { id, fence })) > 0;
  }
}
