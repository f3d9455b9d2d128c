import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { findAgentWithBriefing } from '#actors/registry/agent/find-agent.ts';
import {
  type ForgeTables,
  pullRequestsOf,
  type RowPullRequests,
} from '#actors/registry/forge/pull-request-resource.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { View } from '#contract/page.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';
import { shownAgent } from './shown-agent.ts';

/**
 * Rows of the list of agents, as a caller may see them: the first ones, as many as fit into one answer, and at least
 * one. The number of reads does not depend on the number of agents.
 */
export async function agentRowsOf(
  tables: Pick<Tables, 'agents' | 'profiles'> & ForgeTables,
  stored: readonly StoredAgent[],
  caller: Caller,
  view?: View,
): Promise<AgentRow[]> {
  const ids = stored.map(({ id }) => id);
  const briefings = view === 'VIEW_FULL' ? await tables.agents.briefingsOf(ids) : undefined;
  return rowsWith(tables, stored, caller, (id) => briefings?.get(id));
}

/** The row of one agent, with its whole briefing. */
export async function wholeAgentRow(
  tables: Pick<Tables, 'agents' | 'profiles'> & ForgeTables,
  id: string,
  caller: Caller,
): Promise<AgentRow | undefined> {
  const stored = await findAgentWithBriefing(tables.agents, id);
  const [row] = await rowsWith(tables, [stored], caller, () => stored.briefing);
  return row;
}

async function rowsWith(
  tables: Pick<Tables, 'profiles'> & ForgeTables,
  stored: readonly StoredAgent[],
  caller: Caller,
  briefingOf: (id: string) => string | undefined,
): Promise<AgentRow[]> {
  const shown = await pullRequestsOf(tables, stored);
  const accounts = await tables.profiles.accountsOf(stored.flatMap(({ profileId }) => profileId ?? []));
  const rowOf = (agent: StoredAgent): AgentRow => {
    const account = accounts.get(agent.profileId ?? '') || undefined;
    return { ...agentRowOf(agent, caller, briefingOf(agent.id), shown(agent)), account };
  };
  return fitRows(stored.map(rowOf));
}

/** An agent's row in the list. */
function agentRowOf(
  stored: StoredAgent,
  caller: Caller,
  briefing: string | undefined,
  pullRequests: RowPullRequests,
): AgentRow {
  return {
    agent: shownAgent(caller, stored, briefing),
    mark: stored.mark ?? undefined,
    unreadMail: stored.unreadMail > 0 || undefined,
    unreadMailCount: stored.unreadMail || undefined,
    doorbellRaisedAt: stored.bellRaisedAt == null ? undefined : timeOf(stored.bellRaisedAt),
    doorbellRungAt: stored.bellRungAt == null ? undefined : timeOf(stored.bellRungAt),
    localReviewRounds: stored.localReviewRounds || undefined,
    localReviewVerdict: stored.localReviewVerdict ?? undefined,
    localReviewTree: stored.localReviewTree ?? undefined,
    localReviewConclusion: stored.localReviewConclusion ?? undefined,
    uncountedReviewConclusion: stored.uncountedReviewConclusion ?? undefined,
    unreadReviewThreads: stored.unreadThreads || undefined,
    hidden: stored.hidden || undefined,
    ...pullRequests,
  };
}
