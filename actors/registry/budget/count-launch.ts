import { measureOf, timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { WriteContext } from '#actors/registry/kernel/instance.ts';
import type { Caller } from '#contract/access/caller.ts';
import { spentText } from '#contract/budget/budget-text.ts';
import { Failure } from '#contract/failure.ts';
import { whyNoLaunch } from '#machines/budget/budget.ts';
import type { StoredBudget } from '#store/budget/budget-entity.ts';
import type { Tables } from '#store/tables.ts';
import { minutes } from './budget-resource.ts';
import { asOf, ownerName, ownersFor, saveBudget } from './count-budgets.ts';

/**
 * Counts a launch in the budgets of the workflow and of whoever launches. Returns the schedule to whose budget the
 * work of the new agent counts: the one that launches it, or that its launcher descends from.
 * @throws BUDGET_SPENT when one of them is used up
 */
export async function countLaunch(
  writing: WriteContext,
  caller: Caller,
  scheduleId: string | undefined,
  workflowId: string,
): Promise<string | undefined> {
  const { tables, now } = writing;
  const launcher = caller.kind === 'agent' ? await tables.agents.find(caller.agentId) : undefined;
  const owners = launcher ? ownersFor(launcher) : scheduleId === undefined ? [] : [scheduleId];
  const budgets = await tables.budgets.of([...owners, workflowId]);
  for (const budget of budgets) {
    const why = await whySpent(tables, budget, now);
    if (why === undefined) continue;
    throw new Failure(
      'BUDGET_SPENT',
      `Nothing was launched: ${why}. Stop and tell the person, do not retry: they continue it with continue_budget, or raise it with set_budget`,
      { metadata: { ownerId: budget.owner } },
    );
  }
  for (const budget of budgets) await saveBudget(writing, budget, await asOf(tables, budget, now, { launches: 1 }));
  return scheduleId ?? launcher?.budgetScheduleId ?? undefined;
}

/** Why nothing may be launched into a workflow by a schedule now, because of a budget; empty if it may. */
export async function whyFiringWaits(tables: Tables, owners: readonly string[], now: number): Promise<string> {
  for (const budget of await tables.budgets.of(owners)) {
    const why = await whySpent(tables, budget, now);
    if (why !== undefined) return `waits: ${why}`;
  }
  return '';
}

async function whySpent(tables: Tables, budget: StoredBudget, now: number): Promise<string | undefined> {
  const counted = (await asOf(tables, budget, now)).budget;
  const spent = whyNoLaunch(counted);
  if (spent === undefined) return undefined;
  const { measure, limit } = spent;
  const owner = { ownerId: budget.owner, ownerName: await ownerName(tables, budget.owner) };
  const inLimit = { measure: measureOf(measure), limit: measure === 'work' ? minutes(limit) : limit };
  const until = measure === 'launches' ? `, until ${timeOf(counted.dayEndsAt)}` : '';
  return `${spentText({ ...owner, ...inLimit })}${until}`;
}
