import { z } from 'zod';
import { factOf } from '#actors/registry/fact/fact-resource.ts';
import { cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { AgentSummary } from '#contract/agent/agent-summary.ts';
import type { FactKind } from '#contract/fact/fact.ts';
import { noticeKindOf, noticeOfFact } from '#contract/fact/notice-of-fact.ts';
import { reasonLine } from '#contract/fact/reason-line.ts';
import { Failure } from '#contract/failure.ts';
import { maxSummaryFacts, summarizeAgents } from '#contract/operations/summary.ts';
import { openingOf, summaryLength } from '#contract/page.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';
import type { Tables } from '#store/tables.ts';
import { outcomeOf } from './agent-outcome.ts';
import { shownAgent } from './shown-agent.ts';

const cursors = cursorCodec('summary', { since: z.string(), updatedAt: z.int(), id: z.string() });

/** The kinds of facts about agents that a summary counts. */
const counted = [
  'agent.finished',
  'agent.ended',
  'agent.restored',
  'agent.waits',
  'agent.approved',
  'agent.resumed',
  'agent.unparked',
  'agent.within-budget',
  'agent.failed',
  'agent.run-failed',
  'agent.restore-refused',
] as const satisfies readonly FactKind[];

/** The kinds about the installation that a summary has: those that people are notified of, what ended them, and a restore. */
const aboutInstallation = [
  ...Object.keys(noticeOfFact).filter((kind) => !kind.startsWith('agent.')),
  'account.freed' satisfies FactKind,
  'budget.continued' satisfies FactKind,
  'installation.restored' satisfies FactKind,
];

/** How many pages of the log are searched for news: hosts that come online are none, and may be many. */
const maxPages = 20;

/** Summarizes what happened to each agent since a time. */
export const summarizeAgentsHandler = handler(summarizeAgents, ({ since, pagination }, caller, { store, clock }) => {
  const time = Date.parse(since);
  if (time > clock.now())
    throw new Failure('INVALID_FIELD', `since is ${since}, which is in the future: give an earlier time`, {
      field: 'since',
    });
  const limit = pageLimit(pagination?.pageSize);
  const after = cursors.read(pagination?.cursor);
  if (after !== undefined && after.since !== since)
    throw new Failure('INVALID_CURSOR', `The cursor belongs to a summary since ${after.since}: start again`, {
      field: 'pagination.cursor',
    });
  return store.read(async (tables) => {
    const place = await tables.facts.positionBefore(time);
    const found = await tables.agentSearch.presentSince(time, after, limit + 1);
    const agents = fitRows(await summariesOf(tables, found.slice(0, limit), caller, { time, place }));
    const last = found[agents.length - 1];
    const isWhole = await tables.facts.reaches(place);
    const isFirstForPerson = after === undefined && caller.kind === 'person';
    return {
      agents,
      ...(last !== undefined &&
        found.length > agents.length && {
          nextPageToken: cursors.write({ since, updatedAt: last.updatedAt, id: last.id }),
        }),
      ...(isFirstForPerson && { facts: (await installationFacts(tables, place)).map(factOf) }),
      ...(!isWhole && { factsForgotten: true }),
    };
  });
});

/** Where the time begins: in milliseconds since 1970, and in the log. */
interface Beginning {
  readonly time: number;
  readonly place: bigint;
}

/** What happened to agents. The number of reads does not depend on how many they are. */
async function summariesOf(
  { facts, results }: Tables,
  agents: readonly StoredAgent[],
  caller: Caller,
  { time, place }: Beginning,
): Promise<AgentSummary[]> {
  const ids = agents.map(({ id }) => id);
  const counts = await facts.countAfter(place, ids, counted);
  // Agents do not learn what rules do.
  const unanswered = caller.kind === 'person' ? await facts.countUnanswered(place, ids) : undefined;
  // Half of a pair is never cut: the opening has at most as many characters as code points twice.
  const openings = await results.openingsSince(time, ids, 2 * summaryLength);
  return agents.map((agent) => {
    const times = (kind: (typeof counted)[number]) => counts.get(agent.id)?.get(kind) ?? 0;
    const shown = shownAgent(caller, agent);
    const { name, state, stateReason, fault, waitingFor, ending, park, overBudget, lastKnownAt } = shown;
    const outcome = outcomeOf(agent, { facts: [], isRuled: false }, { until: [], afterTurn: 0 });
    const isAsking = outcome === 'AGENT_OUTCOME_WAITS';
    const result = openings.get(agent.id);
    return {
      agentId: agent.id,
      name,
      state,
      outcome,
      reason: (isAsking && waitingFor) || reasonLine(stateReason, fault?.errorLine) || undefined,
      turns: times('agent.finished') || undefined,
      result: result === undefined ? undefined : openingOf(result).opening,
      ending,
      ended: times('agent.ended') || undefined,
      restored: times('agent.restored') || undefined,
      waited: times('agent.waits') || undefined,
      approved: (unanswered && times('agent.approved')) || undefined,
      asked: unanswered?.get(agent.id),
      parked: times('agent.unparked') + times('agent.resumed') + (park === undefined ? 0 : 1) || undefined,
      resumed: times('agent.resumed') || undefined,
      heldByBudget: times('agent.within-budget') + (overBudget === undefined ? 0 : 1) || undefined,
      failed: times('agent.failed') + times('agent.run-failed') + times('agent.restore-refused') || undefined,
      park,
      overBudget,
      lastKnownAt,
    };
  });
}

/** The newest facts about accounts, budgets, hosts and backups after a place in the log, oldest first. */
async function installationFacts({ facts }: Tables, after: bigint): Promise<readonly StoredFact[]> {
  const newest: StoredFact[] = [];
  let before: bigint | undefined;
  for (let page = 0; page < maxPages && newest.length < maxSummaryFacts; page += 1) {
    const found = await facts.before(before, maxSummaryFacts, { kinds: aboutInstallation, after });
    newest.push(...found.filter(isNews));
    before = found.at(-1)?.seq;
    if (found.length < maxSummaryFacts) break;
  }
  return newest.slice(0, maxSummaryFacts).toReversed();
}

/** Whether a fact is news to people: a host that comes online for the first time does not. */
function isNews(fact: StoredFact): boolean {
  return !Object.hasOwn(noticeOfFact, fact.kind) || noticeKindOf(fact) !== undefined;
}
