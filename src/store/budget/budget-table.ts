import type { EntityManager } from '@mikro-orm/sql';
import { jsonOf } from '#store/kernel/json.ts';
import { limitTo } from '#store/kernel/limit.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { BudgetEntity, type StoredBudget } from './budget-entity.ts';

/** The column of an agent that names the owner of a budget, by the prefix of the owner's id. */
const columns: Readonly<Record<string, string>> = { agt: 'id', wfl: 'workflow_id', sch: 'budget_schedule_id' };

/** The budgets, and the agents whose work counts to them. */
export class BudgetTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(owner: string): Promise<StoredBudget | undefined> {
    return rowOf(this.#em, BudgetEntity, { owner });
  }

  /** The budgets of those owners that have one, by their ids. */
  of(owners: readonly string[]): Promise<readonly StoredBudget[]> {
    return rowsOf(this.#em, BudgetEntity, { owner: { $in: [...owners] } }, { orderBy: { owner: 'asc' } });
  }

  /** Every budget, by the ids of their owners. */
  all(): Promise<readonly StoredBudget[]> {
    return rowsOf(this.#em, BudgetEntity, {}, { orderBy: { owner: 'asc' } });
  }

  async insert(budget: StoredBudget): Promise<void> {
    await this.#em.insert(BudgetEntity, withJson(budget));
  }

  async update({ owner, ...rest }: StoredBudget): Promise<void> {
    await this.#em.nativeUpdate(BudgetEntity, { owner }, withJson(rest));
  }

  /** Removes a budget. Returns whether there was one. */
  async remove(owner: string): Promise<boolean> {
    return (await this.#em.nativeDelete(BudgetEntity, { owner })) > 0;
  }

  /** Moves the time of every count by this many milliseconds, because the clock was set by as much. */
  async shift(milliseconds: number): Promise<void> {
    await this.#em.execute('update "budget" set "counted_at" = "counted_at" + ?', [milliseconds]);
  }

  /** How many of an owner's agents are at work. Those on a lost host are not known to be. */
  async countAtWork(owner: string): Promise<number> {
    const [row] = await this.#em.execute<{ count: number | string }[]>(
      `select count(*) as "count" from "agent" where "${columnOf(owner)}" = ? and "standing" = 'present' and "alive"
        and "state" = 'AGENT_STATE_THINKING' and "last_known_at" is null`,
      [owner],
    );
    return Number(row?.count ?? 0);
  }

  /** The ids of an owner's agents that are not archived, in their order, after one of them. */
  async agentsOf(owner: string, after: string, limit: number): Promise<readonly string[]> {
    const end = limitTo(this.#em, limit);
    const rows = await this.#em.execute<{ id: string }[]>(
      `select "id" from "agent" where "${columnOf(owner)}" = ? and "standing" = 'present' and "id" > ? order by "id"${end.sql}`,
      [owner, after, ...end.parameters],
    );
    return rows.map(({ id }) => id);
  }
}

function columnOf(owner: string): string {
  return columns[owner.slice(0, owner.indexOf('_'))] ?? 'id';
}

function withJson<T extends Pick<StoredBudget, 'limits' | 'used' | 'noticed' | 'spent'>>(budget: T): T {
  const { limits, used, noticed, spent } = budget;
  return {
    ...budget,
    limits: jsonOf(limits),
    used: jsonOf(used),
    noticed: jsonOf(noticed),
    spent: spent == null ? null : jsonOf(spent),
  };
}
