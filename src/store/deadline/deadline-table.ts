import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { runOnRows } from '#store/kernel/run-on-rows.ts';
import { skipLocked } from '#store/kernel/skip-locked.ts';
import { DeadlineEntity, type StoredDeadline } from './deadline-entity.ts';

/** The owner of a deadline. */
export interface DeadlineOwner {
  readonly owner: StoredDeadline['owner'];
  readonly ownerId: string;
}

const columns = { owner: 'text', owner_id: 'text', name: 'text', due_at: 'number' } as const;

const upsert = `insert into "deadline" ("owner", "owner_id", "name", "due_at") select * from given where true
  on conflict ("owner", "owner_id", "name") do update set "due_at" = excluded."due_at"`;

/** The deadlines of machine instances. */
export class DeadlineTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Sets deadlines by name, in milliseconds from now; null removes one. */
  async set({ owner, ownerId }: DeadlineOwner, deadlines: Readonly<Record<string, number | null>>): Promise<void> {
    const over = Object.keys(deadlines).filter((name) => deadlines[name] === null);
    if (over.length > 0) await this.#em.nativeDelete(DeadlineEntity, { owner, ownerId, name: { $in: over } });
    const due = Object.entries(deadlines).flatMap(([name, afterMs]) =>
      afterMs === null ? [] : [[owner, ownerId, name, this.#clock.now() + afterMs]],
    );
    if (due.length === 0) return;
    await this.#em.execute(
      `insert into "deadline" ("owner", "owner_id", "name", "due_at")
        values ${due.map(() => '(?, ?, ?, ?)').join(', ')}
        on conflict ("owner", "owner_id", "name") do update set "due_at" = excluded."due_at"`,
      due.flat(),
    );
  }

  /** Sets a deadline of many instances of a machine, for each in milliseconds since 1970. */
  async setOfAll(owner: StoredDeadline['owner'], name: string, dueAt: ReadonlyMap<string, number>): Promise<void> {
    const rows = [...dueAt].map(([id, due]) => [owner, id, name, due]);
    if (rows.length > 0) await runOnRows(this.#em, columns, rows, upsert);
  }

  /** The deadlines of one owner. */
  async of({ owner, ownerId }: DeadlineOwner): Promise<readonly StoredDeadline[]> {
    return rowsOf(this.#em, DeadlineEntity, { owner, ownerId });
  }

  /** Moves every deadline by this many milliseconds, because the clock was set by as much, except those of a name. */
  async shift(milliseconds: number, fixed: string): Promise<void> {
    await this.#em.execute('update "deadline" set "due_at" = "due_at" + ? where "name" <> ?', [milliseconds, fixed]);
  }

  /** Removes all deadlines of one owner. */
  async clear({ owner, ownerId }: DeadlineOwner): Promise<void> {
    await this.#em.nativeDelete(DeadlineEntity, { owner, ownerId });
  }

  /** Removes one deadline; false if it is gone, was set again since, or another registry is removing it. */
  async take({ owner, ownerId, name, dueAt }: StoredDeadline): Promise<boolean> {
    const taken = await this.#em.execute<unknown[]>(
      `delete from "deadline" where ("owner", "owner_id", "name") in (
        select "owner", "owner_id", "name" from "deadline"
          where "owner" = ? and "owner_id" = ? and "name" = ? and "due_at" = ? ${skipLocked(this.#em)}
      ) returning "name"`,
      [owner, ownerId, name, dueAt],
    );
    return taken.length > 0;
  }

  /** When the next deadline is due, in milliseconds; undefined if there is none. */
  async nextDue(): Promise<number | undefined> {
    const [row] = await this.#em.execute<{ due: number | string | null }[]>(
      'select min("due_at") as "due" from "deadline"',
    );
    return row?.due == null ? undefined : Number(row.due);
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
