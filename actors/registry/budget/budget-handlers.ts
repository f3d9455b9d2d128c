import { change } from '#actors/registry/agent/change.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { Budget } from '#contract/budget/budget.ts';
import { Failure } from '#contract/failure.ts';
import { continueBudget, listBudgets, setBudget } from '#contract/operations/budget.ts';
import { quoted } from '#contract/quoted.ts';
import { continued } from '#machines/budget/budget.ts';
import type { StoredBudget } from '#store/budget/budget-entity.ts';
import type { Tables } from '#store/tables.ts';
import { budgetOf, minute } from './budget-resource.ts';
import { asOf, ownerName, ownersFor, removeBudget, saveBudget } from './count-budgets.ts';
import { holdAgentsOf } from './follow-budgets.ts';
import { setLimits } from './set-limits.ts';

type Limits = StoredBudget['limits'];

/** Lists budgets with what is used of them now. */
export const listBudgetsHandler = handler(listBudgets, ({ agentId }, _caller, { store, clock }) =>
  store.read(async (tables) => {
    const { budgets } = tables;
    const found = agentId ? await budgets.of(ownersFor(await findAgent(tables.agents, agentId))) : await budgets.all();
    const now = clock.now();
    const shown: Budget[] = [];
    for (const budget of found) {
      const counted = { owner: budget.owner, ...(await asOf(tables, budget, now)).budget };
      shown.push(budgetOf(counted, await ownerName(tables, budget.owner)));
    }
    return { budgets: shown };
  }),
);

/** Sets the limits of a budget. A budget without limits is removed, and its agents are released. */
export const setBudgetHandler = handler(
  setBudget,
  ({ ownerId, clear = [], turns, workMinutes, launches }, _caller, scope) =>
    change(scope, async (writing) => {
      const { tables } = writing;
      const name = await requireOwner(tables, ownerId);
      const before = await tables.budgets.find(ownerId);
      const known = before?.limits ?? {};
      const limits: Limits = {
        ...limitOf('turns', turns || (clear.includes('turns') ? undefined : known.turns)),
        ...limitOf('work', workMinutes ? workMinutes * minute : clear.includes('workMinutes') ? undefined : known.work),
        ...limitOf('launches', launches || (clear.includes('launches') ? undefined : known.launches)),
      };
      if (Object.keys(limits).length === 0) {
        if (before === undefined) return {};
        await removeBudget(tables, ownerId);
        await publish(writing, ownerId, 'budget.set', { name, limits });
        await holdAgentsOf(writing, ownerId);
        return {};
      }
      const saved = await setLimits(writing, { id: ownerId, name }, before, limits);
      if (saved.spent?.at !== before?.spent?.at) await holdAgentsOf(writing, ownerId);
      return { budget: budgetOf(saved, name) };
    }),
);

/** Continues a budget that is used up. */
export const continueBudgetHandler = handler(continueBudget, ({ ownerId }, _caller, scope) =>
  change(scope, async (writing) => {
    const { tables, now } = writing;
    const name = await requireOwner(tables, ownerId);
    const before = await tables.budgets.find(ownerId);
    if (before === undefined) {
      throw new Failure('NO_BUDGET', `${quoted(name)} (${ownerId}) has no budget: set_budget sets one`, {
        metadata: { ownerId },
      });
    }
    const { budget } = await asOf(tables, before, now);
    const saved = await saveBudget(writing, before, { budget: continued(budget), notices: [] });
    if (JSON.stringify(saved.used) !== JSON.stringify(budget.used) || before.spent != null) {
      await publish(writing, ownerId, 'budget.continued', { name });
    }
    if (before.spent != null) await holdAgentsOf(writing, ownerId);
    return { budget: budgetOf(saved, name) };
  }),
);

function limitOf(measure: keyof Limits, limit: number | undefined): Limits {
  return limit === undefined ? {} : { [measure]: limit };
}

async function publish(
  { tables }: Change,
  subjectId: string,
  kind: 'budget.set' | 'budget.continued',
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tables.facts.append([{ kind, subjectId, detail }]);
}

/** The name of a budget's owner. @throws NOT_FOUND when there is no such agent, workflow or schedule */
async function requireOwner({ agents, workflows, schedules }: Tables, ownerId: string): Promise<string> {
  if (ownerId.startsWith('agt_')) return (await findAgent(agents, ownerId)).name;
  const table = ownerId.startsWith('wfl_') ? workflows : ownerId.startsWith('sch_') ? schedules : undefined;
  const owner = await table?.find(ownerId);
  if (owner !== undefined) return owner.name;
  throw new Failure(
    'BUDGET_OWNER_NOT_FOUND',
    `There is no agent, workflow or schedule ${quoted(ownerId)}: list_agents, list_workflows and list_schedules list them`,
    { field: 'ownerId', metadata: { ownerId } },
  );
}
