import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { CredentialEntity, type StoredCredential, type TokenPurpose } from './credential-entity.ts';
import { storedHashOf } from './stored-hash.ts';

/** How many tokens of an agent are good at a time, by what they are for; one more ends the oldest. */
const max: Readonly<Record<TokenPurpose, number>> = { window: 1, script: 4, issued: 4 };

/** The tokens that are known. A credential is what travels: the SHA-256 of a token in hex. */
export class CredentialTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  find(credential: string): Promise<StoredCredential | undefined> {
    return rowOf(this.#em, CredentialEntity, { hash: storedHashOf(credential) });
  }

  /** Those of these credentials that are known, with the agents that hold them. */
  async findAll(credentials: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const byHash = new Map(credentials.map((credential) => [storedHashOf(credential), credential]));
    const where = { hash: { $in: [...byHash.keys()] } };
    const rows = await rowsOf(this.#em, CredentialEntity, where, { columns: ['hash', 'agent'] });
    return new Map(rows.map(({ hash, agent }) => [byHash.get(hash) ?? '', agent ?? null]));
  }

  /** Whether any token of an agent is good. */
  async hasAgent(agent: string): Promise<boolean> {
    return (await rowsOf(this.#em, CredentialEntity, { agent }, { limit: 1, columns: ['hash'] })).length > 0;
  }

  /** Makes an agent's token known. That of a new window ends those of the window before it and of its scripts. */
  async addAgent(credential: string, agent: string, purpose: TokenPurpose): Promise<void> {
    const known = await rowsOf(this.#em, CredentialEntity, { agent }, { orderBy: { generation: 'desc' } });
    const ended = (one: StoredCredential) =>
      one.purpose === purpose || (purpose === 'window' && one.purpose === 'script');
    const over = known.filter(ended).slice(purpose === 'window' ? 0 : max[purpose] - 1);
    await this.#em.nativeDelete(CredentialEntity, { hash: { $in: over.map(({ hash }) => hash) } });
    const generation = (known[0]?.generation ?? 0) + 1;
    const row = { hash: storedHashOf(credential), agent, purpose, generation, createdAt: this.#clock.now() };
    await this.#em.insert(CredentialEntity, row);
  }

  /** Ends an agent's tokens. */
  async endOf(agent: string): Promise<void> {
    await this.#em.nativeDelete(CredentialEntity, { agent });
  }

  /** Ends the tokens of all agents, and says how many agents had one. */
  async endOfAgents(): Promise<number> {
    const had = await rowsOf(this.#em, CredentialEntity, { agent: { $ne: null } }, { columns: ['agent'] });
    await this.#em.nativeDelete(CredentialEntity, { agent: { $ne: null } });
    return new Set(had.map(({ agent }) => agent)).size;
  }

  /** Whether a token of the person's is known. */
  async hasPerson(): Promise<boolean> {
    return (await rowOf(this.#em, CredentialEntity, { agent: null })) !== undefined;
  }

  /**
   * Makes one token the person's only one: a token that was handed out before is worth nothing any more. Answers
   * whether it is another one than it was.
   */
  async setPerson(credential: string): Promise<boolean> {
    const hash = storedHashOf(credential);
    await this.#em.nativeDelete(CredentialEntity, { agent: null, hash: { $ne: hash } });
    if (await this.find(credential)) return false;
    await this.#em.insert(CredentialEntity, {
      hash,
      agent: null,
      purpose: 'issued',
      generation: 1,
      createdAt: this.#clock.now(),
    });
    return true;
  }
}
