import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { CredentialEntity, type StoredCredential, type TokenPurpose } from './credential-entity.ts';
import { storedHashOf } from './stored-hash.ts';

/** How many tokens of an agent are valid at a time, by purpose; one more revokes the oldest. */
const max: Readonly<Record<TokenPurpose, number>> = { window: 1, script: 4, issued: 4 };

/** The valid tokens. A credential is what crosses the bus: the SHA-256 of a token in hex. */
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

  /** The valid ones of these credentials, with their agents. */
  async findAll(credentials: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const byHash = new Map(credentials.map((credential) => [storedHashOf(credential), credential]));
    const where = { hash: { $in: [...byHash.keys()] } };
    const rows = await rowsOf(this.#em, CredentialEntity, where, { columns: ['hash', 'agent'] });
    return new Map(rows.map(({ hash, agent }) => [byHash.get(hash) ?? '', agent ?? null]));
  }

  /** Whether an agent has a valid token. */
  async hasAgent(agent: string): Promise<boolean> {
    return (await rowsOf(this.#em, CredentialEntity, { agent }, { limit: 1, columns: ['hash'] })).length > 0;
  }

  /** Adds a token of an agent. The token of a new window revokes those of the previous window and of its scripts. */
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

  /** Revokes an agent's tokens. */
  async endOf(agent: string): Promise<void> {
    await this.#em.nativeDelete(CredentialEntity, { agent });
  }

  /** Revokes the tokens of all agents, and returns how many agents had one. */
  async endOfAgents(): Promise<number> {
    const had = await rowsOf(this.#em, CredentialEntity, { agent: { $ne: null } }, { columns: ['agent'] });
    await this.#em.nativeDelete(CredentialEntity, { agent: { $ne: null } });
    return new Set(had.map(({ agent }) => agent)).size;
  }

  /** Whether the person has a token. */
  async hasPerson(): Promise<boolean> {
    return (await rowOf(this.#em, CredentialEntity, { agent: null })) !== undefined;
  }

  /**
   * Makes this the person's only token. Returns the hashes of those that it revoked, as they are stored; undefined if
   * the person had it already.
   */
  async setPerson(credential: string): Promise<readonly string[] | undefined> {
    const hash = storedHashOf(credential);
    const others = { agent: null, hash: { $ne: hash } };
    const ended = await rowsOf(this.#em, CredentialEntity, others, { columns: ['hash'] });
    await this.#em.nativeDelete(CredentialEntity, others);
    if (await this.find(credential)) return undefined;
    await this.#em.insert(CredentialEntity, {
      hash,
      agent: null,
      purpose: 'issued',
      generation: 1,
      createdAt: this.#clock.now(),
    });
    return ended.map((row) => row.hash);
  }
}
