import type { AgentView } from '#contract/agent/agent-view.ts';
import type { FactDraft } from '#machines/decide.ts';

/** How an agent that runs, or whose CLI has ended, follows its budgets. */
export const budgetEvents = {
  BUDGET_SPENT: { actions: ['noteOverBudget'] },
  BUDGET_CONTINUED: { guard: 'isOverBudget', actions: ['noteWithinBudget'] },
} as const;

/** The facts of a transition about the budgets of an agent. */
export function budgetFacts({ overBudget: was }: AgentView, { overBudget: now }: AgentView): FactDraft[] {
  if (now === undefined) return was === undefined ? [] : [{ kind: 'agent.within-budget', detail: {} }];
  if (was?.ownerId === now.ownerId && was.at === now.at) return [];
  const { ownerId, ownerName, measure, used, limit } = now;
  return [{ kind: 'agent.over-budget', detail: { ownerId, ownerName, measure, used, limit } }];
}
