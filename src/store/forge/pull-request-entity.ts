import { defineEntity, p } from '@mikro-orm/sql';
import type { ForgeKind, ForgeReadingState } from '#contract/forge/forge.ts';
import type { Checks, Mergeability, PullRequestState, ReviewDecision } from '#contract/forge/pull-request.ts';
import type { PullRequestMatter } from '#contract/workflow.ts';
import type { Row } from '#store/kernel/row.ts';

/** When and of which commits a forge last knew whether a pull request merges. */
interface StoredMerge {
  readonly headSha: string;
  readonly baseSha: string;
  readonly mergeability: Mergeability;
  readonly at: number;
  /** Whether it said nothing of it when it was last read. */
  readonly unsettled: boolean;
}

/** One pull request as it was last read. Times are milliseconds since 1970. */
export const PullRequestEntity = defineEntity({
  name: 'PullRequest',
  tableName: 'pull_request',
  properties: {
    id: p.string().primary(),
    /** The repository that was swept. */
    repository: p.string().name('repository_id'),
    forge: p.string().$type<ForgeKind>(),
    providerId: p.string(),
    url: p.string(),
    /** The repository that it targets: the one swept, or the one that was forked; also in its canonical form. */
    repositoryUrl: p.string(),
    target: p.string(),
    headRepositoryUrl: p.string(),
    /** Whether its branch is in the repository that was swept. */
    own: p.boolean(),
    number: p.integer(),
    title: p.text(),
    headBranch: p.string(),
    headSha: p.string(),
    baseBranch: p.string(),
    baseSha: p.string(),
    draft: p.boolean(),
    forgeState: p.string().$type<ForgeReadingState>(),
    state: p.string().$type<PullRequestState>(),
    reviewDecision: p.string().$type<ReviewDecision>(),
    checks: p.string().$type<Checks>(),
    mergeability: p.string().$type<Mergeability>(),
    merge: p.json<StoredMerge>(),
    inMergeQueue: p.boolean(),
    failingChecks: p.json<readonly string[]>(),
    openedAt: p.bigint('number'),
    changedAt: p.bigint('number'),
    mergedAt: p.bigint('number').nullable(),
    closedAt: p.bigint('number').nullable(),
    /** What its agent was mailed to fix, and for which heads. */
    told: p.json<Readonly<Partial<Record<PullRequestMatter, readonly string[]>>>>(),
    /** When anything of the row last moved. */
    updatedAt: p.bigint('number'),
  },
  indexes: [
    { name: 'pull_request_by_branch', properties: ['repository', 'headBranch'] },
    { name: 'pull_request_by_update', properties: ['updatedAt', 'id'] },
    { name: 'pull_request_by_target', properties: ['target', 'updatedAt', 'id'] },
    { name: 'pull_request_by_state', properties: ['state', 'updatedAt', 'id'] },
    { name: 'pull_request_by_end', properties: ['closedAt'] },
    {
      name: 'pull_request_open',
      properties: ['repository', 'headBranch'],
      where: "own and forge_state = 'OPEN'",
    },
  ],
  uniques: [{ name: 'pull_request_provider', properties: ['repository', 'providerId'] }],
});
/** A pull request as stored. */
export type StoredPullRequest = Row<typeof PullRequestEntity>;
