import type { EntityManager } from '@mikro-orm/sql';
import { jsonOf } from '#store/kernel/json.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { ForgeConnectionEntity, type StoredForgeConnection } from './forge-connection-entity.ts';

/** The forges that people connected. Each host has at most one. */
export class ForgeConnectionTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredForgeConnection | undefined> {
    return rowOf(this.#em, ForgeConnectionEntity, { id });
  }

  findByHost(host: string): Promise<StoredForgeConnection | undefined> {
    return rowOf(this.#em, ForgeConnectionEntity, { host });
  }

  /** All connections, ordered by host. */
  all(): Promise<readonly StoredForgeConnection[]> {
    return rowsOf(this.#em, ForgeConnectionEntity, {}, { orderBy: { host: 'asc' } });
  }

  async insert(connection: StoredForgeConnection): Promise<void> {
    await this.#em.insert(ForgeConnectionEntity, { ...connection, credential: jsonOf(connection.credential) });
  }

  async remove(id: string): Promise<void> {
    await this.#em.nativeDelete(ForgeConnectionEntity, { id });
  }
}
