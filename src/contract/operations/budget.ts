import { z } from 'zod';
import { Budget, budgetAmount } from '#contract/budget/budget.ts';
import { message, required } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'budget.v1', service: 'BudgetService' } as const;
const ownerId = [
  required(z.string().min(1)),
  'Whose budget: an agent, a workflow or a schedule, by its id: `agt_`, `wfl_` or `sch_` and a ULID.',
] as const;
export const listBudgets = operation({
  ...service,
  method: 'ListBudgets',
  summary: 'Lists budgets, and what is used of them today.',
  guidance:
    'agentId lists only those that its work counts to: its own, that of its workflow, and that of its schedule.',
  request: message('budget.v1.ListBudgetsRequest', {
    agentId: [1, z.string(), 'Only the budgets that the work of this agent counts to. Unset: all.'],
  }),
  response: message('budget.v1.ListBudgetsResponse', {
    budgets: [1, z.array(Budget), 'The budgets, by the ids of their owners.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const setBudget = operation({
  ...service,
  method: 'SetBudget',
  summary: 'Limits what an agent, or all agents of a workflow or schedule, may use in a day.',
  guidance:
    'At 80 % people are notified. At 100 % of turns or of time at work, the agents are held: muster types nothing to them until a ' +
    'person continues or raises the budget. Nothing is interrupted or ended. At 100 % of launches, further ones are refused or wait. ' +
    'An omitted amount stays. Name an amount in clear to have no limit for it. Counting begins when a budget is set.',
  request: message('budget.v1.SetBudgetRequest', {
    ownerId: [1, ...ownerId],
    turns: [2, budgetAmount, 'How many turns may begin in a day. 0: as it was.'],
    workMinutes: [3, budgetAmount, 'How many minutes its agents may work in a day, added up. 0: as it was.'],
    launches: [
      4,
      budgetAmount,
      'How many agents may be launched in a day: by the agent, or into the workflow or by one of its agents, or by the schedule and ' +
        'its agents. 0: as it was.',
    ],
    clear: [
      5,
      z.array(z.enum(['turns', 'workMinutes', 'launches'])),
      'Amounts that get no limit, by name. One that is also given is set instead.',
    ],
  }),
  response: message('budget.v1.SetBudgetResponse', {
    budget: [1, Budget, 'The budget after the call. Unset: it limits nothing now, so there is none.'],
  }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const continueBudget = operation({
  ...service,
  method: 'ContinueBudget',
  summary: 'Continues a budget that is used up: what is used up counts from 0 again, and its agents are released.',
  guidance:
    'The limits stay. This types nothing: mail and doorbells that waited are delivered. A budget with something left does not change.',
  request: message('budget.v1.ContinueBudgetRequest', { ownerId: [1, ...ownerId] }),
  response: message('budget.v1.ContinueBudgetResponse', { budget: [1, Budget, 'The budget after the call.'] }),
  access: 'write',
  idempotent: true,
  roles: [],
});
