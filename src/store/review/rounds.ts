import type { EntityManager } from '@mikro-orm/sql';
import { jsonOf } from '#store/kernel/json.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { ReviewReadingEntity, ReviewRoundEntity, type StoredRound } from './entities.ts';

/** The review rounds of agents, and which of them each reader last read. */
export class ReviewRoundTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredRound | undefined> {
    return rowOf(this.#em, ReviewRoundEntity, { id });
  }

  /** The newest round of an agent. */
  async newest(agent: string): Promise<StoredRound | undefined> {
    const [round] = await this.page(agent, undefined, 1);
    return round;
  }

  /** The newest round of an agent with a given snapshot. */
  async ofSnapshot(agent: string, snapshotSha: string): Promise<StoredRound | undefined> {
    const order = { ordinal: 'desc' } as const;
    return (await rowsOf(this.#em, ReviewRoundEntity, { agent, snapshotSha }, { orderBy: order, limit: 1 }))[0];
  }

  /** Rounds of an agent, newest first; those before an ordinal if one is given. */
  page(agent: string, before: number | undefined, limit: number): Promise<StoredRound[]> {
    const where = { agent, ...(before === undefined ? {} : { ordinal: { $lt: before } }) };
    return rowsOf(this.#em, ReviewRoundEntity, where, { orderBy: { ordinal: 'desc' }, limit });
  }

  /** The agents that have a round. */
  async agents(): Promise<string[]> {
    const rows = await rowsOf(this.#em, ReviewRoundEntity, { ordinal: 1 }, { columns: ['agent'] });
    return rows.map(({ agent }) => agent);
  }

  /** Rounds by their ids. */
  async byId(ids: readonly string[]): Promise<ReadonlyMap<string, StoredRound>> {
    const rows = await rowsOf(this.#em, ReviewRoundEntity, { id: { $in: [...ids] } });
    return new Map(rows.map((row) => [row.id, row]));
  }

  async insert(round: StoredRound): Promise<void> {
    await this.#em.insert(ReviewRoundEntity, { ...round, leftOut: jsonOf(round.leftOut) });
  }

  /** The round that a reader last read. */
  async readBy(agent: string, reader: string): Promise<StoredRound | undefined> {
    const reading = await rowOf(this.#em, ReviewReadingEntity, { agent, reader });
    return reading && this.find(reading.round);
  }

  /** Saves which round a reader last read. */
  async read(agent: string, reader: string, round: string): Promise<void> {
    const changed = await this.#em.nativeUpdate(ReviewReadingEntity, { agent, reader }, { round });
    if (changed === 0) await this.#em.insert(ReviewReadingEntity, { agent, reader, round });
  }

  /** Deletes an agent's rounds, and which rounds of other agents it has read. */
  async forget(agent: string): Promise<void> {
    await this.#em.nativeDelete(ReviewRoundEntity, { agent });
    await this.#em.nativeDelete(ReviewReadingEntity, { $or: [{ agent }, { reader: agent }] });
  }
}
