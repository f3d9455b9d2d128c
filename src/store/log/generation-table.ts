import type { EntityManager } from '@mikro-orm/sql';
import { rowsOf } from '#store/kernel/rows.ts';
import { GenerationEntity, type StoredGeneration } from './generation-entity.ts';

/** How many starts are remembered: cursors from before the oldest are refused. */
const kept = 1_000;

/** The starts of registries on this database. A copy that is restored knows nothing of those since it was made. */
export class GenerationTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** Every start that is remembered, oldest first. */
  all(): Promise<readonly StoredGeneration[]> {
    return rowsOf(this.#em, GenerationEntity, {}, { orderBy: { ordinal: 'asc' } });
  }

  /** Notes a start, and forgets the oldest ones. */
  async begin(generation: Omit<StoredGeneration, 'ordinal'>): Promise<void> {
    const ordinal = await this.#em.insert(GenerationEntity, generation);
    await this.#em.nativeDelete(GenerationEntity, { ordinal: { $lte: Number(ordinal) - kept } });
  }
}
