import { measureOf } from '#actors/registry/agent/agent-resource.ts';
import type { WriteContext } from '#actors/registry/kernel/instance.ts';
import { usedText } from '#contract/budget/budget-text.ts';
import { type BudgetNotice, type Counted, count, countAgainAt } from '#machines/budget/budget.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredBudget } from '#store/budget/budget-entity.ts';
import type { Tables } from '#store/tables.ts';
import { minutes } from './budget-resource.ts';
import { dayOf } from './today.ts';

/** What was used of budgets. */
interface Use {
  readonly turns?: number;
  readonly launches?: number;
}

/** The deadlines of a budget: it is counted again, or its agents are held or released. */
export const budgetDeadlines = { count: 'count', follow: 'follow' } as const;

/** The owners of the budgets that the work of an agent counts to. */
export function ownersFor({
  id,
  workflowId,
  budgetScheduleId,
}: Pick<StoredAgent, 'id' | 'workflowId' | 'budgetScheduleId'>): string[] {
  return [id, workflowId, ...(budgetScheduleId == null ? [] : [budgetScheduleId])];
}

/** Counts what was used, and how many agents are at work from now on, in the budgets of those owners that have one. */
export async function countBudgets(
  writing: WriteContext,
  owners: readonly string[],
  use: Use = {},
): Promise<readonly StoredBudget[]> {
  const counted: StoredBudget[] = [];
  for (const budget of await writing.tables.budgets.of(owners)) counted.push(await countBudget(writing, budget, use));
  return counted;
}

/** Counts in all budgets that limit time at work how many agents are at work from now on. */
export async function countWork(writing: WriteContext): Promise<void> {
  for (const budget of await writing.tables.budgets.all()) {
    if (budget.limits.work !== undefined) await countBudget(writing, budget);
  }
}

/** Counts what was used of a budget. */
export async function countBudget(writing: WriteContext, budget: StoredBudget, use: Use = {}): Promise<StoredBudget> {
  const counted = await asOf(writing.tables, budget, writing.now, use);
  return saveBudget(writing, budget, counted);
}

/** A budget with what is used of it at a time. */
export async function asOf({ budgets }: Tables, budget: StoredBudget, now: number, use: Use = {}): Promise<Counted> {
  const atWork = budget.limits.work === undefined ? 0 : await budgets.countAtWork(budget.owner);
  return count(budget, { now, today: dayOf(now), atWork, ...use });
}

/** Saves a budget with its deadlines and notices. Its agents follow if it is used up now, or no longer. */
export async function saveBudget(
  { tables, now }: WriteContext,
  before: Pick<StoredBudget, 'owner' | 'spent'>,
  { budget, notices }: Counted,
): Promise<StoredBudget> {
  const { owner } = before;
  const after: StoredBudget = { owner, ...budget };
  await tables.budgets.update(after);
  const dueAt = countAgainAt(budget);
  const isChanged = before.spent?.at !== budget.spent?.at || before.spent?.measure !== budget.spent?.measure;
  await tables.deadlines.set(
    { owner: 'budget', ownerId: owner },
    {
      [budgetDeadlines.count]: dueAt === undefined ? null : Math.max(0, dueAt - now),
      ...(isChanged && { [budgetDeadlines.follow]: 0 }),
    },
  );
  const name = notices.length > 0 ? await ownerName(tables, owner) : '';
  await tables.facts.append(notices.map((notice) => factOf(owner, name, notice)));
  return after;
}

/** Removes the budget of an owner, if it has one. Its agents are no longer held for it. */
export async function removeBudget({ budgets, deadlines }: Tables, ownerId: string): Promise<void> {
  if (!(await budgets.remove(ownerId))) return;
  const owner = { owner: 'budget', ownerId } as const;
  await deadlines.clear(owner);
  await deadlines.set(owner, { [budgetDeadlines.follow]: 0 });
}

/** The name of the agent, workflow or schedule that a budget belongs to; its id if it is gone. */
export async function ownerName({ agents, workflows, schedules }: Tables, owner: string): Promise<string> {
  const table = owner.startsWith('wfl_') ? workflows : owner.startsWith('sch_') ? schedules : agents;
  return (await table.find(owner))?.name ?? owner;
}

function factOf(owner: string, name: string, { level, measure, used, limit }: BudgetNotice) {
  const amounts = measure === 'work' ? { used: minutes(used), limit: minutes(limit) } : { used, limit };
  const kind = level === 100 ? 'budget.spent' : 'budget.near';
  const reason = usedText(measureOf(measure), amounts.used, amounts.limit);
  return { kind, subjectId: owner, detail: { name, measure, ...amounts, reason } } as const;
}
