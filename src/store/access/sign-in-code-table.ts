import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { SignInCodeEntity } from './sign-in-code-entity.ts';
import { storedHashOf } from './stored-hash.ts';

/** How many codes may be outstanding; the oldest one is forgotten first. */
const max = 100;

/** The codes that sign browsers in, each known by its SHA-256 in hex. */
export class SignInCodeTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Makes a code known, and forgets those that are over. */
  async add(codeHash: string, expiresAt: number): Promise<void> {
    await this.#em.nativeDelete(SignInCodeEntity, { expiresAt: { $lte: this.#clock.now() } });
    const known = await rowsOf(this.#em, SignInCodeEntity, {}, { orderBy: { expiresAt: 'desc', hash: 'asc' } });
    const over = known.slice(max - 1).map(({ hash }) => hash);
    if (over.length > 0) await this.#em.nativeDelete(SignInCodeEntity, { hash: { $in: over } });
    await this.#em.insert(SignInCodeEntity, { hash: storedHashOf(codeHash), expiresAt });
  }

  /** Uses a code up; false if there is none of it, or its time is up. */
  async take(codeHash: string): Promise<boolean> {
    const which = { hash: storedHashOf(codeHash), expiresAt: { $gt: this.#clock.now() } };
    return (await this.#em.nativeDelete(SignInCodeEntity, which)) > 0;
  }

  /** Takes back the codes that are outstanding. */
  async removeAll(): Promise<void> {
    await this.#em.nativeDelete(SignInCodeEntity, {});
  }
}
