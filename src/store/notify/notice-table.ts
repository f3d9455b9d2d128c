import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { NoticeEntity, type StoredNotice } from './notice-entity.ts';

/** A notice that is to be recorded. */
export type NewNotice = Pick<StoredNotice, 'agent' | 'through' | 'target' | 'body'>;

/** Notices that have not arrived yet. */
export class NoticeTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Records notices , to be sent at once. */
  async add(notices: readonly NewNotice[]): Promise<void> {
    const dueAt = this.#clock.now();
    for (const notice of notices) await this.#em.insert(NoticeEntity, { ...notice, tries: 0, dueAt } as never);
  }

  /** Notices that are due, the longest overdue first. */
  async due(limit: number): Promise<readonly StoredNotice[]> {
    const where = { dueAt: { $lte: this.#clock.now() } };
    return rowsOf(this.#em, NoticeEntity, where, { orderBy: { dueAt: 'asc', id: 'asc' }, limit });
  }

  /** Puts a notice off that did not arrive. */
  async putOff(id: number, tries: number, afterMs: number): Promise<void> {
    await this.#em.nativeUpdate(NoticeEntity, { id }, { tries, dueAt: this.#clock.now() + afterMs });
  }

  /** Puts every notice off by so many milliseconds: the clock that they are due by was set by as much. */
  async shift(milliseconds: number): Promise<void> {
    await this.#em.execute('update "notice" set "due_at" = "due_at" + ?', [milliseconds]);
  }

  async remove(id: number): Promise<void> {
    await this.#em.nativeDelete(NoticeEntity, { id });
  }
}
