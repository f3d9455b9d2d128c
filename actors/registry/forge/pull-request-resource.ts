import { timeOf } from '#actors/registry/agent-resource.ts';
import type { AgentRow } from '#contract/agent-row.ts';
import type { PullRequest } from '#contract/pull-request.ts';
import { currentFirst, pullRequestState } from '#machines/pull-request.ts';
import type { StoredAgent } from '#store/agent-entity.ts';
import type { StoredPullRequest } from '#store/pull-request-entity.ts';
import type { StoredRepository } from '#store/repository-entity.ts';
import type { Tables } from '#store/store.ts';
import { addressOf } from './repositories.ts';

/** A stored pull request as it is shown. */
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
  };
}

/** What an agent's line shows of pull requests. */
export type ShownPullRequests = Pick<AgentRow, 'pullRequest' | 'pullRequests'>;

/** What the lines of agents show of pull requests: two reads for however many agents. */
export async function pullRequestsOf(
  { repositories, pullRequests }: Pick<Tables, 'repositories' | 'pullRequests'>,
  agents: readonly StoredAgent[],
): Promise<(agent: StoredAgent) => ShownPullRequests> {
  const pushing = agents.filter(({ repositoryUrl }) => repositoryUrl != null);
  const named = await repositories.named(pushing.map(({ repositoryUrl }) => addressOf(repositoryUrl ?? '')));
  const read = [...new Set(named.values())].filter(({ sweptAt }) => sweptAt != null);
  const branches = new Set(pushing.flatMap(({ branch }) => branch ?? []));
  const rows = await pullRequests.ofBranches(
    read.map(({ id }) => id),
    [...branches],
  );
  const byPlace = Map.groupBy(rows, ({ repository, headBranch }) => `${repository} ${headBranch}`);
  return ({ repositoryUrl, branch }) => {
    const repository = repositoryUrl == null ? undefined : named.get(addressOf(repositoryUrl));
    const found = byPlace.get(`${repository?.id} ${branch}`) ?? [];
    return shownOf(repository, found);
  };
}

function shownOf(repository: StoredRepository | undefined, found: readonly StoredPullRequest[]): ShownPullRequests {
  const ordered = currentFirst(found);
  const [current] = ordered;
  const state = pullRequestState(current && { ...current, state: current.forgeState }, repository?.sweptAt != null);
  if (current === undefined) return { pullRequest: { state } };
  const { number, url, title, checks, mergeability } = current;
  return {
    pullRequest: { state, number, url, title, checks, mergeability },
    pullRequests: ordered.map(pullRequestOf),
  };
}
