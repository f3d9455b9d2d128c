import type { EntityManager } from '@mikro-orm/sqlite';
import type { Clock } from '#contract/clock.ts';
import { CredentialEntity, type StoredCredential } from './credential-entity.ts';
import { rowOf, rowsOf } from './rows.ts';

/** The tokens that are known, each as its SHA-256 in hex. */
export class CredentialTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  find(hash: string): Promise<StoredCredential | undefined> {
    return rowOf(this.#em, CredentialEntity, { hash });
  }

  /** Makes an agent's token known. */
  async addAgent(hash: string, agent: string, generation: number): Promise<void> {
    await this.#em.insert(CredentialEntity, { hash, agent, generation, createdAt: this.#clock.now() });
  }

  /**
   * Makes one token the person's only one: a token that was handed out before is worth nothing any more. Answers whether
   * it is another one than it was.
   */
  async setPerson(hash: string): Promise<boolean> {
    await this.#em.nativeDelete(CredentialEntity, { agent: null, hash: { $ne: hash } });
    if (await this.find(hash)) return false;
    await this.#em.insert(CredentialEntity, { hash, agent: null, generation: 1, createdAt: this.#clock.now() });
    return true;
  }

  /** Which of an agent's tokens is the one in use. */
  async generationOf(agent: string): Promise<number | undefined> {
    const [newest] = await rowsOf(
      this.#em,
      CredentialEntity,
      { agent },
      { orderBy: { generation: 'desc' }, limit: 1, columns: ['generation'] },
    );
    return newest?.generation;
  }
}
