import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { PullRequest } from '#contract/forge/pull-request.ts';
import { currentFirst, pullRequestState } from '#machines/forge/pull-request.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredPullRequest } from '#store/forge/pull-request-entity.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import type { Tables } from '#store/tables.ts';
import { connectedHosts, readConfirmedRepositories } from './confirmed-repositories.ts';
import { placeOnForge } from './repositories.ts';

/** A stored pull request as clients see it. */
export function pullRequestOf(stored: StoredPullRequest): PullRequest {
  return {
    id: stored.id,
    forge: stored.forge,
    providerId: stored.providerId,
    url: stored.url,
    repositoryUrl: stored.repositoryUrl,
    headRepositoryUrl: stored.headRepositoryUrl,
    number: stored.number,
    title: stored.title,
    headBranch: stored.headBranch,
    headSha: stored.headSha,
    baseBranch: stored.baseBranch,
    baseSha: stored.baseSha,
    draft: stored.draft,
    state: stored.state,
    openedAt: timeOf(stored.openedAt),
    changedAt: timeOf(stored.changedAt),
    mergedAt: stored.mergedAt == null ? undefined : timeOf(stored.mergedAt),
    closedAt: stored.closedAt == null ? undefined : timeOf(stored.closedAt),
    reviewDecision: stored.reviewDecision,
    checks: stored.checks,
    mergeability: stored.mergeability,
    inMergeQueue: (stored.forgeState === 'OPEN' && stored.inMergeQueue) || undefined,
  };
}

/** What an agent's row shows of pull requests. */
export type RowPullRequests = Pick<AgentRow, 'pullRequest' | 'pullRequests' | 'unconfirmedRepositoryUrl'>;

/** The tables that hold pull requests. */
export type ForgeTables = Pick<Tables, 'workflows' | 'repositories' | 'pullRequests' | 'forgeConnections'>;

/** What agents' rows show of pull requests, in the same few reads for any number of agents. */
export async function pullRequestsOf(
  tables: ForgeTables,
  agents: readonly StoredAgent[],
): Promise<(agent: StoredAgent) => RowPullRequests> {
  const naming = agents.filter(({ repositoryUrl }) => repositoryUrl != null);
  if (naming.length === 0) return () => shownOf(undefined, []);
  const confirmed = await readConfirmedRepositories(
    tables,
    naming.map(({ workflowId }) => workflowId),
  );
  const isConfirmed = ({ workflowId, repositoryUrl }: StoredAgent): boolean =>
    confirmed.holds(workflowId, repositoryUrl ?? '');
  const pushing = naming.filter(isConfirmed);
  const connected = pushing.length < naming.length ? await connectedHosts(tables) : new Set();
  const swept = new Set(pushing.flatMap(({ repositoryUrl }) => confirmed.rowOf(repositoryUrl ?? '') ?? []));
  const read = [...swept].filter(({ sweptAt }) => sweptAt != null);
  const branches = new Set(pushing.flatMap(({ branch }) => branch ?? []));
  const rows = await tables.pullRequests.ofBranches(
    read.map(({ id }) => id),
    [...branches],
  );
  const byPlace = Map.groupBy(rows, ({ repository, headBranch }) => `${repository} ${headBranch}`);
  return (agent) => {
    const { repositoryUrl, branch } = agent;
    if (repositoryUrl == null) return shownOf(undefined, []);
    if (!isConfirmed(agent)) {
      const isConnected = connected.has(placeOnForge(repositoryUrl)?.host);
      return { ...shownOf(undefined, []), ...(isConnected && { unconfirmedRepositoryUrl: repositoryUrl }) };
    }
    const repository = confirmed.rowOf(repositoryUrl);
    const found = byPlace.get(`${repository?.id} ${branch}`) ?? [];
    return shownOf(repository, found);
  };
}

function shownOf(repository: StoredRepository | undefined, found: readonly StoredPullRequest[]): RowPullRequests {
  const ordered = currentFirst(found);
  const [current] = ordered;
  const state = pullRequestState(current && { ...current, state: current.forgeState }, repository?.sweptAt != null);
  if (current === undefined) return { pullRequest: { state } };
  const { number, url, title, checks, mergeability } = current;
  const pullRequests = ordered.map(pullRequestOf);
  const inMergeQueue = pullRequests[0]?.inMergeQueue;
  return {
    pullRequest: { state, number, url, title, checks, mergeability, ...(inMergeQueue && { inMergeQueue }) },
    pullRequests,
  };
}
