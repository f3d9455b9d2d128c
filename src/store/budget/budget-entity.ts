import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** Amounts by measure. Work is in milliseconds. */
type Amounts = Readonly<Record<'turns' | 'work' | 'launches', number>>;

/** A budget: what an agent, or the agents of a workflow or a schedule, may use in a day. */
export const BudgetEntity = defineEntity({
  name: 'Budget',
  tableName: 'budget',
  properties: {
    /** The id of the agent, workflow or schedule. */
    owner: p.string().primary(),
    limits: p.json<Readonly<Partial<Amounts>>>(),
    used: p.json<Amounts>(),
    /** When the day that `used` belongs to ends, in milliseconds since 1970. */
    dayEndsAt: p.bigint('number').name('day_ends_at'),
    /** How many agents have been at work since `countedAt`, in milliseconds since 1970. */
    atWork: p.integer().name('at_work'),
    countedAt: p.bigint('number').name('counted_at'),
    /** The percentages that people were notified of in that day. */
    noticed: p.json<Readonly<Partial<Record<keyof Amounts, 80 | 100>>>>(),
    /** What is used up, so that the agents are held; null if nothing is. */
    spent: p
      .json<{
        readonly measure: 'turns' | 'work';
        readonly used: number;
        readonly limit: number;
        readonly at: number;
      }>()
      .nullable(),
  },
});
export type StoredBudget = Row<typeof BudgetEntity>;
