import type { EntityManager } from '@mikro-orm/sqlite';
import { HostEntity, type StoredHost } from './host-entity.ts';
import { rowOf, rowsOf } from './rows.ts';

/** The machines that agents are placed on. */
export class HostTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredHost | undefined> {
    return rowOf(this.#em, HostEntity, { id });
  }

  /** Every host, by name. */
  async all(): Promise<readonly StoredHost[]> {
    return rowsOf(this.#em, HostEntity, {}, { orderBy: { name: 'asc', id: 'asc' } });
  }

  /** Writes a host down as it is now, whether it is known or new; which key it is known by stays as it is. */
  async save({
    id,
    key: _,
    ...rest
  }: Omit<StoredHost, 'key' | 'codingHarnesses'> & Partial<StoredHost>): Promise<void> {
    const known = await this.#em.nativeUpdate(HostEntity, { id }, rest);
    if (known === 0) await this.#em.insert(HostEntity, { id, key: null, ...rest });
  }

  /** Notes the key that a host is known by from now on; null lets it come with another one. */
  async bind(id: string, key: string | null): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { key });
  }
}
