import { spentOf, timeOf } from '#actors/registry/agent/agent-resource.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { spentText } from '#contract/budget/budget-text.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** @throws BUDGET_SPENT when a budget that the agent's work counts to is used up, so that nothing is typed to it */
export function refuseOverBudget(agent: StoredAgent, method: string): void {
  const { overBudget } = agent;
  if (overBudget == null) return;
  throw new Failure(
    'BUDGET_SPENT',
    `${method} is not possible for agent ${describeAgent(agent)}: ${spentText(spentOf(overBudget))}, since ${timeOf(overBudget.at)}. ` +
      'A person continues it with continue_budget, or raises it with set_budget',
    { metadata: { ownerId: overBudget.ownerId } },
  );
}
