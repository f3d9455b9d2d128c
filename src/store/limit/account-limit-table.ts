import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { AccountLimitEntity, type StoredAccountLimit } from './account-limit-entity.ts';

/** The accounts that are limited. A limit whose end has passed is over. */
export class AccountLimitTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** The limit of an account; undefined if there is none, or it is over. */
  async current(key: string): Promise<StoredAccountLimit | undefined> {
    const found = await rowOf(this.#em, AccountLimitEntity, { key });
    return found !== undefined && this.#isCurrent(found) ? found : undefined;
  }

  /** The limits of those accounts that are limited. */
  async currentOf(keys: readonly string[]): Promise<readonly StoredAccountLimit[]> {
    if (keys.length === 0) return [];
    const found = await rowsOf(this.#em, AccountLimitEntity, { key: { $in: [...keys] } });
    return found.filter((limit) => this.#isCurrent(limit));
  }

  /** Sets the limit of an account. */
  async set(limit: StoredAccountLimit): Promise<void> {
    await this.remove(limit.key);
    await this.#em.insert(AccountLimitEntity, limit);
  }

  /** Ends the limit of an account; false if there was none. */
  async remove(key: string): Promise<boolean> {
    return (await this.#em.nativeDelete(AccountLimitEntity, { key })) > 0;
  }

  #isCurrent({ until }: StoredAccountLimit): boolean {
    return until == null || until > this.#clock.now();
  }
}
