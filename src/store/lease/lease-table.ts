import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { LeaseEntity, type StoredLease } from './lease-entity.ts';

/** The holder of a lease. */
export interface LeaseHolder {
  readonly holder: string;
  /** Its public data. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The leases of processes that share the database. */
export class LeaseTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /**
   * Takes a lease that is free or has ended, or renews the holder's own, for this many milliseconds. Returns its term;
   * undefined if another process holds it.
   */
  async take(name: string, { holder, detail = {} }: LeaseHolder, leaseMs: number): Promise<number | undefined> {
    const now = this.#clock.now();
    const rows = await this.#em.execute<{ term: number }[]>(
      `insert into "lease" ("name", "holder", "term", "ends_at", "detail") values (?, ?, 1, ?, ?)
        on conflict ("name") do update set
          "term" = "lease"."term" + case when "lease"."holder" = excluded."holder" then 0 else 1 end,
          "holder" = excluded."holder", "ends_at" = excluded."ends_at", "detail" = excluded."detail"
        where "lease"."holder" = excluded."holder" or "lease"."ends_at" <= ?
        returning "term"`,
      [name, holder, now + leaseMs, JSON.stringify(detail), now],
    );
    return rows[0]?.term;
  }

  /** Ends a lease, so that another process can take it, if this process holds it. */
  async leave(name: string, holder: string): Promise<void> {
    await this.#em.nativeUpdate(LeaseEntity, { name, holder }, { endsAt: 0 });
  }

  /** Deletes a lease, if this process holds it. */
  async remove(name: string, holder: string): Promise<void> {
    await this.#em.nativeDelete(LeaseEntity, { name, holder });
  }

  /** Deletes every lease, in a copy of a database: its holders work on the original. */
  async removeAll(): Promise<void> {
    await this.#em.nativeDelete(LeaseEntity, {});
  }

  /** The leases that have not ended and whose names begin with a prefix. */
  async heldUnder(prefix: string): Promise<readonly StoredLease[]> {
    const held = await rowsOf(
      this.#em,
      LeaseEntity,
      { endsAt: { $gt: this.#clock.now() } },
      { orderBy: { name: 'asc' } },
    );
    return held.filter(({ name }) => name.startsWith(prefix));
  }

  /** Deletes leases whose names begin with a prefix and that ended more than this many milliseconds ago. */
  async removeEnded(prefix: string, agoMs: number): Promise<void> {
    const where = { endsAt: { $lt: this.#clock.now() - agoMs } };
    const ended = await rowsOf(this.#em, LeaseEntity, where, { columns: ['name'] });
    const names = ended.map(({ name }) => name).filter((name) => name.startsWith(prefix));
    await this.#em.nativeDelete(LeaseEntity, { name: { $in: names } });
  }

  /** Moves the end of every lease by this many milliseconds, because the clock was set by as much. */
  async shift(milliseconds: number): Promise<void> {
    await this.#em.execute('update "lease" set "ends_at" = "ends_at" + ?', [milliseconds]);
  }
}
