import type { EntityManager } from '@mikro-orm/sqlite';
import type { Clock } from '#contract/clock.ts';
import { rowOf } from './rows.ts';
import { SessionEntity } from './session-entity.ts';

/** The browsers in which the person is signed in, each by the SHA-256 of its token in hex. */
export class SessionTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Until when a session is good, in milliseconds since 1970; undefined where it is not, or not any more. */
  async expiryOf(hash: string): Promise<number | undefined> {
    const known = await rowOf(this.#em, SessionEntity, { hash });
    return known !== undefined && known.expiresAt > this.#clock.now() ? known.expiresAt : undefined;
  }

  /** Begins a session, and forgets those that are over. */
  async add(hash: string, expiresAt: number): Promise<void> {
    const now = this.#clock.now();
    await this.#em.nativeDelete(SessionEntity, { expiresAt: { $lte: now } });
    await this.#em.insert(SessionEntity, { hash, createdAt: now, expiresAt });
  }

  async remove(hash: string): Promise<void> {
    await this.#em.nativeDelete(SessionEntity, { hash });
  }

  async removeAll(): Promise<void> {
    await this.#em.nativeDelete(SessionEntity, {});
  }
}
