import type { EntityManager } from '@mikro-orm/sql';
import { rowOf } from '#store/kernel/rows.ts';
import { ResultEntity, type StoredResult } from './result-entity.ts';

/** The results that agents report, and the schemas that these must fit. */
export class ResultTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** The result of an agent, and its schema; undefined if it has neither. */
  find(agent: string): Promise<StoredResult | undefined> {
    return rowOf(this.#em, ResultEntity, { agent });
  }

  /** The first characters of the results that agents reported since a time, by agent. */
  async openingsSince(since: number, agents: readonly string[], length: number): Promise<ReadonlyMap<string, string>> {
    if (agents.length === 0) return new Map();
    const rows = await this.#em.execute<{ agent: string; opening: string }[]>(
      `select "agent", substr("text", 1, ?) as "opening" from "agent_result"
        where "agent" in (${agents.map(() => '?').join(', ')}) and "reported_at" >= ? and "text" is not null`,
      [length, ...agents, since],
    );
    return new Map(rows.map(({ agent, opening }) => [agent, opening]));
  }

  /** Saves the schema that the result of a new agent must fit. */
  async expect(agent: string, schema: string): Promise<void> {
    await this.#em.insert(ResultEntity, { agent, schema, text: null, turns: 0, reportedAt: null });
  }

  /** Saves a result in place of an earlier one. */
  async put(result: Omit<StoredResult, 'schema'>, before: StoredResult | undefined): Promise<void> {
    if (before === undefined) await this.#em.insert(ResultEntity, { ...result, schema: null });
    else await this.#em.nativeUpdate(ResultEntity, { agent: result.agent }, result);
  }

  async forget(agent: string): Promise<void> {
    await this.#em.nativeDelete(ResultEntity, { agent });
  }
}
