import type { EntityManager } from '@mikro-orm/sql';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { DoorbellEntity, type StoredDoorbell } from './doorbell-entity.ts';

/** The doorbells of agents. */
export class DoorbellTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredDoorbell | undefined> {
    return rowOf(this.#em, DoorbellEntity, { id });
  }

  /** The agent's doorbell that is neither claimed nor dropped. */
  openOf(agent: string): Promise<StoredDoorbell | undefined> {
    return rowOf(this.#em, DoorbellEntity, { agent, closedAt: null });
  }

  /** The closed doorbells of an agent that a review raised, newest first. */
  closedForReview(agent: string, limit: number): Promise<StoredDoorbell[]> {
    const where = { agent, forReview: true, closedAt: { $ne: null } };
    return rowsOf(this.#em, DoorbellEntity, where, { limit, orderBy: { id: 'desc' } });
  }

  /** Doorbells by their ids. */
  async byId(ids: readonly string[]): Promise<ReadonlyMap<string, StoredDoorbell>> {
    const rows = await rowsOf(this.#em, DoorbellEntity, { id: { $in: [...ids] } });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Deletes the closed doorbells of an agent that a review raised. */
  async forget(agent: string): Promise<void> {
    await this.#em.nativeDelete(DoorbellEntity, { agent, forReview: true, closedAt: { $ne: null } });
  }

  /** Deletes doorbells that were closed before a time and that no review raised; returns how many. */
  async prune(before: number, limit: number): Promise<number> {
    const where = { closedAt: { $lt: before }, forReview: false };
    const old = await rowsOf(this.#em, DoorbellEntity, where, { limit, columns: ['id'] });
    return this.#em.nativeDelete(DoorbellEntity, { id: { $in: old.map(({ id }) => id) } });
  }
}
