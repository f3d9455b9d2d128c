import type { WriteContext } from '#actors/registry/kernel/instance.ts';
import { newBudget, withLimits } from '#machines/budget/budget.ts';
import type { StoredBudget } from '#store/budget/budget-entity.ts';
import { asOf, saveBudget } from './count-budgets.ts';
import { dayOf } from './today.ts';

type Limits = StoredBudget['limits'];

/** Sets the limits of an owner's budget, which it may not have had yet. At least one of them must be set. */
export async function setLimits(
  writing: WriteContext,
  owner: { readonly id: string; readonly name: string },
  before: StoredBudget | undefined,
  limits: Limits,
): Promise<StoredBudget> {
  const { tables, now } = writing;
  const budget = before ?? { owner: owner.id, ...newBudget(now, dayOf(now)) };
  if (before === undefined) await tables.budgets.insert(budget);
  // Time is counted under the limits that it was used under, and the agents at work under the new ones.
  const counted = (await asOf(tables, { ...budget, limits }, now)).budget;
  const isSame = JSON.stringify(sorted(before?.limits ?? {})) === JSON.stringify(sorted(limits));
  const after = withLimits({ ...counted, noticed: budget.noticed, spent: budget.spent }, limits, now);
  const saved = await saveBudget(writing, budget, after);
  const detail = { name: owner.name, limits };
  if (!isSame) await tables.facts.append([{ kind: 'budget.set', subjectId: owner.id, detail }]);
  return saved;
}

function sorted(limits: Limits): readonly unknown[] {
  return Object.entries(limits).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
