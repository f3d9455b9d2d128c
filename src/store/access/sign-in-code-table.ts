import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { SignInCodeEntity } from './sign-in-code-entity.ts';
import { storedHashOf } from './stored-hash.ts';

/** How many unused codes may exist; the oldest is deleted first. */
const max = 100;

/** The codes that sign browsers in, each identified by its SHA-256 in hex. */
export class SignInCodeTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Adds a code, and deletes expired ones. */
  async add(codeHash: string, expiresAt: number): Promise<void> {
    await this.#em.nativeDelete(SignInCodeEntity, { expiresAt: { $lte: this.#clock.now() } });
    const known = await rowsOf(this.#em, SignInCodeEntity, {}, { orderBy: { expiresAt: 'desc', hash: 'asc' } });
    const over = known.slice(max - 1).map(({ hash }) => hash);
    if (over.length > 0) await this.#em.nativeDelete(SignInCodeEntity, { hash: { $in: over } });
    await this.#em.insert(SignInCodeEntity, { hash: storedHashOf(codeHash), expiresAt });
  }

  /** Uses a code, which deletes it; false if there is no such code, or it has expired. */
  async take(codeHash: string): Promise<boolean> {
    const which = { hash: storedHashOf(codeHash), expiresAt: { $gt: this.#clock.now() } };
    return (await this.#em.nativeDelete(SignInCodeEntity, which)) > 0;
  }

  /** Revokes all unused codes. */
  async removeAll(): Promise<void> {
    await this.#em.nativeDelete(SignInCodeEntity, {});
  }
}
