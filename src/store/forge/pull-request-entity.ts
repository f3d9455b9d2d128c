import { defineEntity, p } from '@mikro-orm/sql';
import type { ForgeKind, ForgeReadingState } from '#contract/forge/forge.ts';
import type { Checks, Mergeability, PullRequestState, ReviewDecision } from '#contract/forge/pull-request.ts';
import type { PullRequestMatter } from '#contract/workflow.ts';
import type { Row } from '#store/kernel/row.ts';

/**
 * The last known answer of a forge to whether a pull request can be merged: when it was given, and for which commits.
 */
interface StoredMerge {
  readonly headSha: string;
  readonly baseSha: string;
  readonly mergeability: Mergeability;
  readonly at: number;
  /** Whether the last reading had no answer. */
  readonly unsettled: boolean;
}

/** A pull request as it was last read. Times are in milliseconds since 1970. */
export const PullRequestEntity = defineEntity({
  name: 'PullRequest',
  tableName: 'pull_request',
  properties: {
    id: p.string().primary(),
    /** The repository whose sweep found it. */
    repository: p.string().name('repository_id'),
    forge: p.string().$type<ForgeKind>(),
    providerId: p.string(),
    url: p.string(),
    /** The repository that it targets: the swept one, or the one that it was forked from. */
    repositoryUrl: p.string(),
    /** The same in canonical form. */
    target: p.string(),
    headRepositoryUrl: p.string(),
    /** Whether its branch is in the swept repository. */
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
    /** The problems about which its agent was mailed, and for which heads. */
    told: p.json<Readonly<Partial<Record<PullRequestMatter, readonly string[]>>>>(),
    /** When the row last changed. */
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
