import { type NamedSpentBudget, spentText } from '#contract/budget/budget-text.ts';
import { endingText } from './ending-text.ts';

/** A summary with its enumeration values by name, as the command line and the page have it. Unset counts are 0. */
export interface NamedSummary {
  readonly state?: string | undefined;
  readonly outcome?: string | undefined;
  readonly reason?: string | undefined;
  readonly turns?: number | undefined;
  readonly result?: string | undefined;
  readonly ending?: Parameters<typeof endingText>[0] | undefined;
  readonly ended?: number | undefined;
  readonly restored?: number | undefined;
  readonly waited?: number | undefined;
  readonly approved?: number | undefined;
  readonly asked?: number | undefined;
  readonly parked?: number | undefined;
  readonly resumed?: number | undefined;
  readonly heldByBudget?: number | undefined;
  readonly failed?: number | undefined;
  readonly park?: { readonly until?: string | undefined } | undefined;
  readonly overBudget?: NamedSpentBudget | undefined;
  readonly lastKnownAt?: string | undefined;
}

/** Where an agent stands, as a summary groups agents: those that need a person first. */
export const standings = [
  'waits',
  'over budget',
  'failed',
  'ended',
  'parked',
  'unclear',
  'works',
  'finished',
  'rests',
  'archived',
] as const;
export type Standing = (typeof standings)[number];

const byOutcome: Readonly<Record<string, Standing>> = {
  AGENT_OUTCOME_WAITS: 'waits',
  AGENT_OUTCOME_FAILED: 'failed',
  AGENT_OUTCOME_ENDED: 'ended',
  AGENT_OUTCOME_GONE: 'archived',
  AGENT_OUTCOME_OVER_BUDGET: 'over budget',
};
const byState: Readonly<Record<string, Standing>> = {
  AGENT_STATE_SETTING_UP: 'works',
  AGENT_STATE_THINKING: 'works',
  AGENT_STATE_IDLE: 'rests',
  AGENT_STATE_WAITING: 'waits',
};

/** Where an agent stands now. One that rests has finished if it finished a turn in the time of the summary. */
export function standingOf({ state = '', outcome = '', overBudget, park, turns = 0 }: NamedSummary): Standing {
  const standing = byOutcome[outcome];
  if (standing !== undefined) return standing;
  if (overBudget != null) return 'over budget';
  if (park != null) return 'parked';
  const rests = byState[state] ?? 'unclear';
  return rests === 'rests' && turns > 0 ? 'finished' : rests;
}

/** Where an agent stands now; if its host is silent or lost, that this is only the last that is known. */
export function standingText(summary: NamedSummary): string {
  return `${standingOf(summary)}${summary.lastKnownAt ? ' (last known)' : ''}`;
}

/** The order of a summary: agents that need a person first, those that stand the same by name. */
export function compareSummaries(
  one: NamedSummary & { readonly name?: string | undefined },
  other: NamedSummary & { readonly name?: string | undefined },
): number {
  const ranks = standings.indexOf(standingOf(one)) - standings.indexOf(standingOf(other));
  return ranks || ((one.name ?? '') < (other.name ?? '') ? -1 : 1);
}

/** What happened to an agent, the most important first, each in a few words. */
export function summaryNotes(summary: NamedSummary): readonly string[] {
  const { reason = '', turns, result = '', ending, overBudget, park } = summary;
  const standing = standingOf(summary);
  const [line = ''] = reason.split('\n');
  const [opening = ''] = result.split('\n');
  const why = standing === 'ended' && ending ? endingText(ending) : line;
  return [
    overBudget != null && spentText(overBudget),
    summary.lastKnownAt && `host silent since ${summary.lastKnownAt}`,
    park?.until && `until ${park.until}`,
    ['waits', 'failed', 'ended', 'unclear'].includes(standing) && why,
    opening && `result: ${opening}`,
    times(turns, 'turn finished', 'turns finished'),
    times(summary.approved, 'question answered by rule', 'questions answered by rule'),
    questionNote(summary, standing),
    park == null && times(summary.parked, 'time parked', 'times parked'),
    times(summary.resumed, 'time continued after a limit', 'times continued after a limit'),
    overBudget == null && times(summary.heldByBudget, 'time held by a budget', 'times held by a budget'),
    standing !== 'ended' && times(summary.ended, 'time ended', 'times ended'),
    times(summary.restored, 'time restored', 'times restored'),
    standing !== 'failed' && times(summary.failed, 'failure', 'failures'),
  ].filter((note): note is string => typeof note === 'string' && note !== '');
}

/** The questions that reached a person, or else how often it waited; none if it is the wait shown already. */
function questionNote({ approved = 0, asked = 0, waited = 0 }: NamedSummary, standing: Standing): string {
  const shown = standing === 'waits' ? 1 : 0;
  if (approved + asked > 0) return asked > shown ? times(asked, 'question for you', 'questions for you') : '';
  return waited > shown ? times(waited, 'time waited', 'times waited') : '';
}

/** How many agents stand where, and who answered their questions, such as `2 waits, 12 finished; questions: 3 for you`. */
export function summaryTotals(summaries: readonly NamedSummary[]): string {
  const counts = Map.groupBy(summaries, standingText);
  const total = (key: 'approved' | 'asked') => summaries.reduce((sum, { [key]: count = 0 }) => sum + count, 0);
  const [approved, asked] = [total('approved'), total('asked')];
  const texts = standings.flatMap((one) => [one, `${one} (last known)`]);
  const standing = texts.flatMap((one) => (counts.has(one) ? [`${counts.get(one)?.length} ${one}`] : []));
  const answered = [approved > 0 && `${approved} answered by rule`, asked > 0 && `${asked} for you`].filter(Boolean);
  return [standing.join(', '), answered.length > 0 && `questions: ${answered.join(', ')}`].filter(Boolean).join('; ');
}

function times(count: number | undefined, one: string, many: string): string {
  return count ? `${count} ${count === 1 ? one : many}` : '';
}
