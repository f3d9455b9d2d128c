import type { EntityManager } from '@mikro-orm/sql';
import { jsonOf } from '#store/kernel/json.ts';
import { newestFirst, type Position, past } from '#store/kernel/keyset.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { ProfileEntity, type StoredProfile } from './profile-entity.ts';

/** The profiles. */
export class ProfileTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredProfile | undefined> {
    return rowOf(this.#em, ProfileEntity, { id });
  }

  findByName(name: string): Promise<StoredProfile | undefined> {
    return rowOf(this.#em, ProfileEntity, { name });
  }

  /** A page of profiles, most recently updated first, after a position. */
  page(position: Position | undefined, limit: number): Promise<readonly StoredProfile[]> {
    return rowsOf(this.#em, ProfileEntity, past(position), { orderBy: newestFirst, limit });
  }

  /** The accounts of profiles, by the profile's id. */
  async accountsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const which = { id: { $in: [...new Set(ids)] } };
    const rows = await rowsOf(this.#em, ProfileEntity, which, { columns: ['id', 'account'] });
    return new Map(rows.map(({ id, account }) => [id, account]));
  }

  /** Whether a profile has a secret that muster stores. */
  async hasSealed(): Promise<boolean> {
    const rows = await rowsOf(this.#em, ProfileEntity, {}, { columns: ['secrets'] });
    return rows.some(({ secrets }) => secrets.some(({ source }) => 'sealed' in source));
  }

  async insert(profile: StoredProfile): Promise<void> {
    await this.#em.insert(ProfileEntity, withJson(profile));
  }

  async update({ id, ...rest }: StoredProfile): Promise<void> {
    await this.#em.nativeUpdate(ProfileEntity, { id }, withJson(rest));
  }

  async remove(id: string): Promise<void> {
    await this.#em.nativeDelete(ProfileEntity, { id });
  }
}

function withJson<T extends Pick<StoredProfile, 'environment' | 'secrets'>>(profile: T): T {
  return { ...profile, environment: jsonOf(profile.environment), secrets: jsonOf(profile.secrets) };
}
