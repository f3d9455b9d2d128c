import { spentOf, timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { OverBudget } from '#contract/agent/agent-view.ts';
import type { Budget, BudgetAmounts } from '#contract/budget/budget.ts';
import type { StoredBudget } from '#store/budget/budget-entity.ts';

/** Milliseconds in a minute. */
export const minute = 60_000;

/** A budget as a message of the contract. */
export function budgetOf({ owner, limits, used, dayEndsAt, atWork, spent }: StoredBudget, name: string): Budget {
  return {
    ownerId: owner,
    ownerName: name,
    limits: amountsOf(limits),
    used: amountsOf(used),
    dayEndsAt: timeOf(dayEndsAt),
    agentsAtWork: atWork,
    spent: spent == null ? undefined : spentOf(overBudgetOf(owner, name, spent)),
  };
}

/** A budget that is used up, as its agents show it. Work is in minutes. */
export function overBudgetOf(
  ownerId: string,
  ownerName: string,
  { measure, used, limit, at }: NonNullable<StoredBudget['spent']>,
): OverBudget {
  const amounts = measure === 'work' ? { used: minutes(used), limit: minutes(limit) } : { used, limit };
  return { ownerId, ownerName, measure, ...amounts, at };
}

/** Milliseconds as whole minutes. */
export function minutes(milliseconds: number): number {
  return Math.floor(milliseconds / minute);
}

function amountsOf({ turns, work, launches }: StoredBudget['limits']): BudgetAmounts {
  return {
    turns: turns ?? undefined,
    workMinutes: work === undefined ? undefined : minutes(work),
    launches: launches ?? undefined,
  };
}
