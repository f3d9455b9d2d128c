import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { AccountLimitEntity, type StoredAccountLimit } from './account-limit-entity.ts';

/** The accounts that are limited. A limit that is due no longer counts, and its row stays until the account works. */
export class AccountLimitTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** The last limit of an account, even if it no longer counts. */
  find(key: string): Promise<StoredAccountLimit | undefined> {
    return rowOf(this.#em, AccountLimitEntity, { key });
  }

  /** The limits of those accounts that are limited. */
  async currentOf(keys: readonly string[]): Promise<readonly StoredAccountLimit[]> {
    if (keys.length === 0) return [];
    const found = await rowsOf(this.#em, AccountLimitEntity, { key: { $in: [...keys] } });
    return found.filter((limit) => isCurrent(limit, this.#clock.now()));
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
}

/** Whether a limit counts at a time, in milliseconds since 1970. */
export function isCurrent({ due }: Pick<StoredAccountLimit, 'due'>, now: number): boolean {
  return due == null || due > now;
}
