import type { EntityManager } from '@mikro-orm/sql';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { type DepartureCleanup, DepartureEntity, type StoredDeparture } from './departure-entity.ts';
import { type StrandedChild, strandedChildren } from './stranded-children.ts';

/** Agents that have left hosts, with the clean-up that is pending there. */
export class DepartureTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** Those of a host, oldest first. */
  from(host: string, limit: number): Promise<readonly StoredDeparture[]> {
    return rowsOf(this.#em, DepartureEntity, { host }, { orderBy: { at: 'asc', id: 'asc' }, limit });
  }

  find(agent: string, host: string): Promise<StoredDeparture | undefined> {
    return rowOf(this.#em, DepartureEntity, { agent, host });
  }

  /** Archived children whose parents have moved, and that are to follow them. */
  childrenLeft(limit: number): Promise<readonly StrandedChild[]> {
    return strandedChildren(this.#em, limit);
  }

  async insert(departure: StoredDeparture): Promise<void> {
    await this.#em.insert(DepartureEntity, departure);
  }

  async setRemains(id: string, remains: DepartureCleanup): Promise<void> {
    await this.#em.nativeUpdate(DepartureEntity, { id }, { remains });
  }

  async remove(id: string): Promise<void> {
    await this.#em.nativeDelete(DepartureEntity, { id });
  }
}
