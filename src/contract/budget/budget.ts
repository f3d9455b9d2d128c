import { z } from 'zod';
import { enumeration, message } from '#contract/message.ts';

/** What a budget limits. */
export const BudgetMeasure = enumeration('budget.v1.BudgetMeasure', {
  BUDGET_MEASURE_UNSPECIFIED: 'Not given; never stored.',
  BUDGET_MEASURE_TURNS: 'Turns that begin.',
  BUDGET_MEASURE_WORK: 'Minutes at work, added up over the agents.',
  BUDGET_MEASURE_LAUNCHES: 'Launches of agents.',
});
export type BudgetMeasure = z.infer<typeof BudgetMeasure>;

/** An amount of a request. */
export const budgetAmount = z.int32().min(0).max(1_000_000);

/** How much may be used in a day, or is used. */
export const BudgetAmounts = message('budget.v1.BudgetAmounts', {
  turns: [1, z.int32(), 'How many turns begin.'],
  workMinutes: [2, z.int32(), 'How many minutes agents are at work, added up.'],
  launches: [3, z.int32(), 'How many agents are launched.'],
});
export type BudgetAmounts = z.infer<typeof BudgetAmounts>;

/** A budget that is used up. */
export const SpentBudget = message('budget.v1.SpentBudget', {
  ownerId: [1, z.string(), 'Whose budget it is: the id of an agent, a workflow or a schedule.'],
  ownerName: [2, z.string(), 'The name of that agent, workflow or schedule.'],
  measure: [3, BudgetMeasure, 'What is used up.'],
  used: [4, z.int32(), 'How much was used when it was used up.'],
  limit: [5, z.int32(), 'How much may be used in a day.'],
  since: [6, z.string(), 'Since when it has been used up: RFC 3339, UTC.'],
});
export type SpentBudget = z.infer<typeof SpentBudget>;

/** What an agent, or the agents of a workflow or schedule, may use in a day. */
export const Budget = message('budget.v1.Budget', {
  ownerId: [1, z.string(), 'Whose budget it is: the id of an agent, a workflow or a schedule.'],
  ownerName: [2, z.string(), 'The name of that agent, workflow or schedule.'],
  limits: [3, BudgetAmounts, 'What may be used in a day. An unset amount has no limit.'],
  used: [4, BudgetAmounts, 'What is used of it today.'],
  dayEndsAt: [5, z.string(), 'When the day ends, and counting starts again from 0: RFC 3339, UTC.'],
  agentsAtWork: [6, z.int32(), 'How many of its agents are at work now. Counted only if `limits.workMinutes` is set.'],
  spent: [
    7,
    SpentBudget,
    'Since when its agents are held, and why: muster types nothing to them until a person continues it. Unset: they are not.',
  ],
});
export type Budget = z.infer<typeof Budget>;
