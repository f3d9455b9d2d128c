import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { SessionEntity } from './session-entity.ts';
import { storedHashOf } from './stored-hash.ts';

/**
 * The browsers in which the person is signed in, each identified by what crosses the bus: the SHA-256 of its token in
 * hex.
 */
export class SessionTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** When a session expires, in milliseconds since 1970; undefined if there is none, or it has expired. */
  async expiryOf(credential: string): Promise<number | undefined> {
    const known = await rowOf(this.#em, SessionEntity, { hash: storedHashOf(credential) });
    return known !== undefined && known.expiresAt > this.#clock.now() ? known.expiresAt : undefined;
  }

  /** Those of these credentials that are valid sessions. */
  async findAll(credentials: readonly string[]): Promise<ReadonlySet<string>> {
    const byHash = new Map(credentials.map((credential) => [storedHashOf(credential), credential]));
    const where = { hash: { $in: [...byHash.keys()] }, expiresAt: { $gt: this.#clock.now() } };
    const rows = await rowsOf(this.#em, SessionEntity, where, { columns: ['hash'] });
    return new Set(rows.map(({ hash }) => byHash.get(hash) ?? ''));
  }

  /** Begins a session, and deletes expired ones. */
  async add(credential: string, expiresAt: number): Promise<void> {
    const now = this.#clock.now();
    await this.#em.nativeDelete(SessionEntity, { expiresAt: { $lte: now } });
    await this.#em.insert(SessionEntity, { hash: storedHashOf(credential), createdAt: now, expiresAt });
  }

  async remove(credential: string): Promise<void> {
    await this.#em.nativeDelete(SessionEntity, { hash: storedHashOf(credential) });
  }

  /** Ends every session, and returns how many there were. */
  async removeAll(): Promise<number> {
    return this.#em.nativeDelete(SessionEntity, {});
  }
}
