import type { EntityManager } from '@mikro-orm/sql';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { RepositoryEntity, type StoredRepository } from './repository-entity.ts';

/** The repositories whose pull requests are read. */
export class RepositoryTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredRepository | undefined> {
    return rowOf(this.#em, RepositoryEntity, { id });
  }

  /** Saves the connection through which a repository is read. */
  async connect(id: string, connection: string): Promise<void> {
    await this.#em.nativeUpdate(RepositoryEntity, { id }, { connection });
  }

  /** The repositories that are due, or whose lease has ended, the longest overdue first. */
  due(now: number, limit: number): Promise<readonly StoredRepository[]> {
    return rowsOf(this.#em, RepositoryEntity, { dueAt: { $lte: now } }, { orderBy: { dueAt: 'asc' }, limit });
  }

  /** The repositories that are read through a connection. */
  ofConnection(connection: string): Promise<readonly StoredRepository[]> {
    return rowsOf(this.#em, RepositoryEntity, { connection });
  }

  /** Every repository that is awake, because agents push to it. */
  awake(): Promise<readonly StoredRepository[]> {
    return rowsOf(this.#em, RepositoryEntity, { dueAt: { $gte: 0 } });
  }

  /**
   * Finds repositories by addresses, which are host and path in lower case: those to which agents push, and the current
   * ones on their forge. If a repository is another name of a different one, the different one is returned.
   */
  async named(addresses: readonly string[]): Promise<ReadonlyMap<string, StoredRepository>> {
    const wanted = [...new Set(addresses)];
    if (wanted.length === 0) return new Map();
    const among = { $in: wanted };
    const rows = await rowsOf(this.#em, RepositoryEntity, { $or: [{ address: among }, { place: among }] });
    const others = rows.flatMap(({ sameAs }) => sameAs ?? []).filter((id) => rows.every((row) => row.id !== id));
    if (others.length > 0) rows.push(...(await rowsOf(this.#em, RepositoryEntity, { id: { $in: others } })));
    const byId = new Map(rows.map((row) => [row.id, row]));
    const found = new Map<string, StoredRepository>();
    for (const row of rows) {
      const meant = byId.get(row.sameAs ?? '') ?? row;
      if (row.place != null && !found.has(row.place)) found.set(row.place, meant);
    }
    for (const row of rows) found.set(row.address, byId.get(row.sameAs ?? '') ?? row);
    return found;
  }
}
