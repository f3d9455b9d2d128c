import type { BudgetMeasure } from './budget.ts';

/** A budget that is used up, with its measure by name. */
export interface NamedSpentBudget {
  readonly ownerId?: string | undefined;
  readonly ownerName?: string | undefined;
  readonly measure?: string | undefined;
  readonly limit?: number | undefined;
}

/** How amounts of a measure are counted, in words. */
const words: Readonly<Record<string, (limit: number) => string>> = {
  BUDGET_MEASURE_UNSPECIFIED: (limit) => `${limit}`,
  BUDGET_MEASURE_TURNS: (limit) => `${limit} ${limit === 1 ? 'turn' : 'turns'}`,
  BUDGET_MEASURE_WORK: (limit) => `${minutesText(limit)} at work`,
  BUDGET_MEASURE_LAUNCHES: (limit) => `${limit} ${limit === 1 ? 'launch' : 'launches'}`,
} satisfies Readonly<Record<BudgetMeasure, (limit: number) => string>>;

/** Whose budget it is, such as `workflow web`. The id says what kind of owner it is. */
export function ownerText({ ownerId = '', ownerName = '' }: Pick<NamedSpentBudget, 'ownerId' | 'ownerName'>): string {
  const kind = ownerId.startsWith('wfl_') ? 'workflow' : ownerId.startsWith('sch_') ? 'schedule' : 'agent';
  return `${kind} ${ownerName || ownerId}`;
}

/** An amount of a measure, such as `20 turns` or `8 h at work`. */
export function amountText(measure: string, amount: number): string {
  return words[measure]?.(amount) ?? String(amount);
}

/** How much of a limit for a day is used, such as `16 of 20 turns a day used`. */
export function usedText(measure: BudgetMeasure, used: number, limit: number): string {
  const amount = measure === 'BUDGET_MEASURE_WORK' ? minutesText(used) : String(used);
  return `${amount} of ${amountText(measure, limit)} a day used`;
}

/** Which budget is used up, in one line, such as `workflow web has used up its 20 turns a day`. */
export function spentText(spent: NamedSpentBudget): string {
  const { measure = 'BUDGET_MEASURE_UNSPECIFIED', limit = 0 } = spent;
  return `${ownerText(spent)} has used up its ${amountText(measure, limit)} a day`;
}

/** Minutes as people write them: `45 min`, `8 h`, `1 h 30 min`. */
export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}
