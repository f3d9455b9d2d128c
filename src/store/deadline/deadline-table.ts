import type { EntityManager } from '@mikro-orm/sqlite';
import type { Clock } from '#contract/clock.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { DeadlineEntity, type StoredDeadline } from './deadline-entity.ts';

/** Whose deadline it is. */
export interface DeadlineOwner {
  readonly owner: 'agent' | 'host' | 'doorbell';
  readonly ownerId: string;
}

/** The moments at which machines are told that time is up. */
export class DeadlineTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Sets deadlines by name, in milliseconds from now; null takes one away. */
  async set({ owner, ownerId }: DeadlineOwner, deadlines: Readonly<Record<string, number | null>>): Promise<void> {
    for (const [name, afterMs] of Object.entries(deadlines)) {
      await this.#em.nativeDelete(DeadlineEntity, { owner, ownerId, name });
      if (afterMs === null) continue;
      await this.#em.insert(DeadlineEntity, { owner, ownerId, name, dueAt: this.#clock.now() + afterMs });
    }
  }

  /** What deadlines one owner has. */
  async of({ owner, ownerId }: DeadlineOwner): Promise<readonly StoredDeadline[]> {
    return rowsOf(this.#em, DeadlineEntity, { owner, ownerId });
  }

  /** Puts every deadline off by so many milliseconds: the clock that tells when they are due was set by as much. */
  async shift(milliseconds: number): Promise<void> {
    await this.#em.execute('update "deadline" set "due_at" = "due_at" + ?', [milliseconds]);
  }

  /** Takes all deadlines of one owner away. */
  async clear({ owner, ownerId }: DeadlineOwner): Promise<void> {
    await this.#em.nativeDelete(DeadlineEntity, { owner, ownerId });
  }

  /** Takes one deadline away; false where it is gone or was set anew in the meantime. */
  async take({ owner, ownerId, name, dueAt }: StoredDeadline): Promise<boolean> {
    return (await this.#em.nativeDelete(DeadlineEntity, { owner, ownerId, name, dueAt })) > 0;
  }

  /** Deadlines that are due, the longest overdue first. */
  async due(limit: number): Promise<readonly StoredDeadline[]> {
    return rowsOf(
      this.#em,
      DeadlineEntity,
      { dueAt: { $lte: this.#clock.now() } },
      { orderBy: { dueAt: 'asc' }, limit },
    );
  }
}
