/** What a budget limits: turns that begin, time at work, and launches. */
export type BudgetMeasure = 'turns' | 'work' | 'launches';

/** The measures that hold agents when they are used up. Launches are refused instead. */
type HoldingMeasure = Exclude<BudgetMeasure, 'launches'>;

/** Amounts by measure; work in milliseconds. */
type Amounts = Readonly<Record<BudgetMeasure, number>>;

/** What is used up, so that the agents of a budget are held. Amounts in the units of the budget. */
export interface Exhaustion {
  readonly measure: HoldingMeasure;
  readonly used: number;
  readonly limit: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The state of a budget. Times are milliseconds since 1970. */
export interface BudgetState {
  /** What may be used in a day. A measure that is absent has no limit. */
  readonly limits: Readonly<Partial<Record<BudgetMeasure, number>>>;
  readonly used: Amounts;
  readonly dayEndsAt: number;
  /** How many agents have been at work since `countedAt`. Their time until then is counted. */
  readonly atWork: number;
  readonly countedAt: number;
  /** Which percentage people were notified of today, by measure. */
  readonly noticed: Readonly<Partial<Record<BudgetMeasure, Level>>>;
  /** Kept over the end of the day, until a person continues the budget. */
  readonly spent: Exhaustion | null | undefined;
}

/** How much of a budget is used when people are first notified, in percent. */
export const nearPercent = 80;
type Level = typeof nearPercent | 100;

/** A day: its start and its end, in milliseconds since 1970. */
export interface Day {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** What was used since the budget was last counted. */
export interface Use {
  readonly now: number;
  /** The day of `now`. */
  readonly today: Day;
  readonly turns?: number;
  readonly launches?: number;
  /** How many agents are at work from now on. */
  readonly atWork: number;
}

/** People are to be notified that a percentage of a measure is used. */
export interface BudgetNotice {
  readonly level: Level;
  readonly measure: BudgetMeasure;
  readonly used: number;
  readonly limit: number;
}

/** A budget after a change, and what people are notified of. */
export interface Counted {
  readonly budget: BudgetState;
  readonly notices: readonly BudgetNotice[];
}

const measures: readonly BudgetMeasure[] = ['turns', 'work', 'launches'];
const holding: readonly HoldingMeasure[] = ['turns', 'work'];
const nothing: Amounts = { turns: 0, work: 0, launches: 0 };
/** No day is longer. A budget whose day seems to be was counted before the clock was set back. */
const longestDay = 48 * 60 * 60_000;

/** A new budget, of which nothing is used. */
export function newBudget(now: number, today: Day): BudgetState {
  return {
    limits: {},
    used: nothing,
    dayEndsAt: today.endsAt,
    atWork: 0,
    countedAt: now,
    noticed: {},
    spent: null,
  };
}

/** Counts what was used, from 0 if a new day has begun. */
export function count(before: BudgetState, { now, today, turns = 0, launches = 0, atWork }: Use): Counted {
  const isNewDay = now >= before.dayEndsAt || before.dayEndsAt - now > longestDay;
  const since = isNewDay ? Math.max(before.countedAt, today.startsAt) : before.countedAt;
  const used = isNewDay ? nothing : before.used;
  const worked = before.atWork * Math.max(0, now - since);
  return judged(
    {
      ...before,
      ...(isNewDay && { dayEndsAt: today.endsAt, noticed: {} }),
      used: { turns: used.turns + turns, work: used.work + worked, launches: used.launches + launches },
      atWork,
      countedAt: now,
    },
    now,
  );
}

/** Sets the limits of a counted budget. Agents stay held only if their measure is still used up. */
export function withLimits(before: BudgetState, limits: BudgetState['limits'], now: number): Counted {
  const isUsedUp = ({ measure }: Exhaustion) => levelOf({ limits, used: before.used }, measure) === 100;
  const noticed = Object.fromEntries(
    measures.flatMap((measure) => {
      const level = levelOf({ limits, used: before.used }, measure);
      const known = before.noticed[measure];
      return level === undefined || known === undefined ? [] : [[measure, Math.min(level, known)]];
    }),
  );
  const spent = before.spent && isUsedUp(before.spent) ? before.spent : null;
  return judged({ ...before, limits, noticed, spent }, now);
}

/** Starts the measures of a counted budget that are used up from 0 again. */
export function continued(before: BudgetState): BudgetState {
  const isFull = (measure: BudgetMeasure) => levelOf(before, measure) === 100;
  const used = { ...before.used };
  for (const measure of measures.filter(isFull)) used[measure] = 0;
  const noticed = Object.fromEntries(
    Object.entries(before.noticed).filter(([measure]) => used[measure as BudgetMeasure] > 0),
  );
  return { ...before, used, noticed, spent: null };
}

/** Whether a launch would exceed a counted budget: the measure that is used up; undefined if it would not. */
export function whyNoLaunch(
  budget: BudgetState,
): { readonly measure: BudgetMeasure; readonly limit: number } | undefined {
  if (budget.spent != null) return budget.spent;
  const limit = budget.limits.launches;
  return limit !== undefined && budget.used.launches >= limit ? { measure: 'launches', limit } : undefined;
}

/**
 * When a counted budget is to be counted again because of the agents at work: when more people are to be notified, or
 * the day ends. In milliseconds since 1970; undefined if nothing changes with time.
 */
export function countAgainAt({ limits, used, atWork, countedAt, dayEndsAt }: BudgetState): number | undefined {
  const limit = limits.work;
  if (limit === undefined || atWork === 0) return undefined;
  const level = levelOf({ limits, used }, 'work');
  const next = level === undefined ? (limit * nearPercent) / 100 : level === nearPercent ? limit : undefined;
  const due = next === undefined ? dayEndsAt : countedAt + Math.ceil((next - used.work) / atWork);
  return Math.min(due, dayEndsAt);
}

/** Adds notices for what has reached 80 or 100 % since the last count, and holds the agents if that is due. */
function judged(budget: BudgetState, now: number): Counted {
  const notices: BudgetNotice[] = [];
  const noticed = { ...budget.noticed };
  for (const measure of measures) {
    const level = levelOf(budget, measure);
    const limit = budget.limits[measure];
    if (level === undefined || limit === undefined || (noticed[measure] ?? 0) >= level) continue;
    noticed[measure] = level;
    notices.push({ level, measure, used: budget.used[measure], limit });
  }
  const full = holding.find((measure) => levelOf(budget, measure) === 100);
  const spent =
    budget.spent ??
    (full && { measure: full, used: budget.used[full], limit: budget.limits[full] ?? 0, at: now }) ??
    null;
  return { budget: { ...budget, noticed, spent }, notices };
}

/** Which percentage of a measure is used; undefined below 80 %, or without a limit. */
function levelOf({ limits, used }: Pick<BudgetState, 'limits' | 'used'>, measure: BudgetMeasure): Level | undefined {
  const limit = limits[measure];
  if (limit === undefined) return undefined;
  if (used[measure] >= limit) return 100;
  return used[measure] * 100 >= limit * nearPercent ? nearPercent : undefined;
}
