import { phaseOfAgent } from '#actors/registry/agent/agent-standing.ts';
import { send } from '#actors/registry/agent/change.ts';
import type { AgentChange, Change } from '#actors/registry/kernel/writing.ts';
import type { OverBudget } from '#contract/agent/agent-view.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredBudget } from '#store/budget/budget-entity.ts';
import { overBudgetOf } from './budget-resource.ts';
import { budgetDeadlines, countBudget, countBudgets, ownerName, ownersFor, removeBudget } from './count-budgets.ts';

/** How many agents are held or released in one transaction. */
const atOnce = 200;

/**
 * Counts turns that begin, and agents that begin or cease to work, in the commit that says so. If that uses up a
 * budget, the agent is held in the same commit, and others follow.
 */
export async function followBudgets(writing: Change, _: AgentCommit, { before, after }: AgentChange): Promise<boolean> {
  const { budgets } = writing.tables;
  if (after.standing === 'gone' && before.standing !== 'gone') await removeBudget(writing.tables, after.id);
  const turns = begunBetween(before, after);
  const isWorkNew = isAtWork(after) !== isAtWork(before);
  const isNew = mayBeHeld(after) && !mayBeHeld(before);
  if (turns === 0 && !isWorkNew && !isNew) return false;
  const owners = ownersFor(after);
  const counted = turns > 0 || isWorkNew ? await countBudgets(writing, owners, { turns }) : await budgets.of(owners);
  return holdBy(writing, after, counted);
}

/** Counts a budget again whose deadline has expired, or has its next agents follow it. */
export async function expireBudget(writing: Change, owner: string, name: string): Promise<void> {
  const budget = await writing.tables.budgets.find(owner);
  if (name === budgetDeadlines.count) {
    if (budget !== undefined) await countBudget(writing, budget);
    return;
  }
  // The deadline names the agent after which to continue.
  await holdAgentsOf(writing, owner, name.slice(`${budgetDeadlines.follow} `.length));
}

/**
 * Holds or releases the first agents of a budget's owner, or those after one of them, as the budget is now; the others follow
 * on their own.
 */
export async function holdAgentsOf(writing: Change, owner: string, afterId = ''): Promise<void> {
  const { agents, budgets, deadlines } = writing.tables;
  const page = await budgets.agentsOf(owner, afterId, atOnce);
  for (const id of page) {
    const agent = await agents.find(id);
    if (agent !== undefined) await holdBy(writing, agent, await budgets.of(ownersFor(agent)));
  }
  if (page.length < atOnce) return;
  await deadlines.set({ owner: 'budget', ownerId: owner }, { [`${budgetDeadlines.follow} ${page.at(-1)}`]: 0 });
}

/** Holds an agent if one of its budgets is used up, and releases it if none is. Returns whether that changed it. */
async function holdBy(writing: Change, agent: StoredAgent, budgets: readonly StoredBudget[]): Promise<boolean> {
  const spent = await spentAmong(writing, budgets);
  if (spent === undefined) return agent.overBudget != null && send(writing, agent, { type: 'BUDGET_CONTINUED' });
  if (agent.overBudget?.ownerId === spent.ownerId && agent.overBudget.at === spent.at) return false;
  return send(writing, agent, { type: 'BUDGET_SPENT', budget: spent });
}

/** The budget that was used up first. */
async function spentAmong({ tables }: Change, budgets: readonly StoredBudget[]): Promise<OverBudget | undefined> {
  const [first] = budgets
    .flatMap(({ owner, spent }) => (spent == null ? [] : [{ owner, spent }]))
    .toSorted((a, b) => a.spent.at - b.spent.at);
  return first && overBudgetOf(first.owner, await ownerName(tables, first.owner), first.spent);
}

/** How many turns began from one state to the next: a short one may have begun and ended between the two. */
function begunBetween(before: StoredAgent, after: StoredAgent): number {
  const [was, is] = [readAgentContext(before.snapshot), readAgentContext(after.snapshot)];
  const finished = Math.max(0, (is.turns ?? 0) - (was.turns ?? 0));
  return Math.max(0, finished + Number(is.inTurn === true) - Number(was.inTurn === true));
}

/** As `BudgetTable.countAtWork` counts it. */
function isAtWork({ state, alive, standing }: StoredAgent): boolean {
  return state === 'AGENT_STATE_THINKING' && alive && standing === 'present';
}

/** Whether its machine is in a state in which a budget can hold it. */
function mayBeHeld(agent: StoredAgent): boolean {
  return /^(?:live|dormant)/.test(phaseOfAgent(agent));
}
