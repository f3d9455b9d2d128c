import { z } from 'zod';
import type { ForgeReading } from '#contract/forge/forge.ts';
import { forgeTime } from './forge-time.ts';
import { nodesOf } from './nodes.ts';

const url = z.object({ url: z.string() });
const rateLimit = z.object({ limit: z.int(), remaining: z.int(), resetAt: forgeTime }).nullish().catch(undefined);

const commits = nodesOf(
  z.object({ commit: z.object({ statusCheckRollup: z.object({ state: z.string() }).nullish() }) }),
);

const PullRequestNode = z.object({
  id: z.string(),
  number: z.int(),
  url: z.string(),
  title: z.string(),
  isDraft: z.boolean(),
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  createdAt: forgeTime,
  updatedAt: forgeTime,
  mergedAt: forgeTime.nullish(),
  closedAt: forgeTime.nullish(),
  headRefName: z.string(),
  headRefOid: z.string(),
  headRepository: url.nullish(),
  baseRefName: z.string(),
  baseRefOid: z.string(),
  repository: url,
  isInMergeQueue: z.boolean().nullish(),
  mergeable: z.string().nullish(),
  mergeStateStatus: z.string().nullish(),
  reviewDecision: z.string().nullish(),
  latestOpinionatedReviews: nodesOf(z.object({ state: z.string() })),
  reviewRequests: z.object({ totalCount: z.int() }).nullish(),
  commits,
});
type PullRequestNode = z.output<typeof PullRequestNode>;

export const GithubList = z.object({
  rateLimit,
  repository: z
    .object({
      url: z.string(),
      parent: z.object({ url: z.string(), nameWithOwner: z.string() }).nullish(),
      pullRequests: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
        nodes: z.array(PullRequestNode.nullable()).nullish(),
      }),
    })
    .nullish(),
});

/** A node that is not a pull request is an empty object. */
const orNothing = z.object({ id: z.undefined().optional() }).transform(() => null);

export const GithubNodes = z.object({
  rateLimit,
  nodes: z.array(z.union([PullRequestNode, orNothing]).nullable()),
});

export const GithubFailing = z.object({
  rateLimit,
  nodes: z.array(
    z
      .object({
        id: z.string().optional(),
        commits: nodesOf(
          z.object({
            commit: z.object({
              statusCheckRollup: z
                .object({
                  contexts: nodesOf(
                    z.object({
                      name: z.string().optional(),
                      conclusion: z.string().nullish(),
                      context: z.string().optional(),
                      state: z.string().optional(),
                    }),
                  ),
                })
                .nullish(),
            }),
          }),
        ),
      })
      .nullable(),
  ),
});

export const GithubViewer = z.object({ rateLimit, viewer: z.object({ login: z.string() }) });

/** Converts a node to a reading; `plain` if reviews, checks and mergeability were not requested. */
export function githubReading(node: PullRequestNode, plain: boolean): ForgeReading {
  return {
    forge: 'github',
    providerId: node.id,
    url: node.url,
    repositoryUrl: node.repository.url,
    headRepositoryUrl: node.headRepository?.url ?? '',
    number: node.number,
    title: node.title,
    headBranch: node.headRefName,
    headSha: node.headRefOid,
    baseBranch: node.baseRefName,
    baseSha: node.baseRefOid,
    draft: node.isDraft,
    state: node.state,
    createdAt: node.createdAt,
    updatedAt: node.updatedAt,
    ...(node.mergedAt && { mergedAt: node.mergedAt }),
    ...((node.closedAt ?? node.mergedAt) && { closedAt: node.closedAt ?? node.mergedAt ?? '' }),
    reviewDecision: plain ? 'REVIEW_DECISION_UNSPECIFIED' : reviewDecision(node),
    checks: plain ? 'CHECKS_UNSPECIFIED' : checks(node.commits.at(-1)?.commit.statusCheckRollup?.state),
    mergeability: plain ? 'MERGEABILITY_UNSPECIFIED' : mergeability(node),
    failingChecks: [],
    inMergeQueue: node.isInMergeQueue ?? false,
  };
}

/** GitHub makes no decision if the branch's rules require no review. Then the reviews themselves decide. */
function reviewDecision(node: PullRequestNode): ForgeReading['reviewDecision'] {
  const states = node.latestOpinionatedReviews.map(({ state }) => state);
  if (node.reviewDecision === 'CHANGES_REQUESTED') return 'REVIEW_DECISION_CHANGES_REQUESTED';
  if (node.reviewDecision === 'APPROVED') return 'REVIEW_DECISION_APPROVED';
  if (node.reviewDecision) return 'REVIEW_DECISION_PENDING';
  if (states.includes('CHANGES_REQUESTED')) return 'REVIEW_DECISION_CHANGES_REQUESTED';
  if (states.includes('APPROVED')) return 'REVIEW_DECISION_APPROVED';
  return node.reviewRequests?.totalCount ? 'REVIEW_DECISION_PENDING' : 'REVIEW_DECISION_NONE';
}

function checks(rollup: string | undefined): ForgeReading['checks'] {
  if (rollup === undefined) return 'CHECKS_NONE';
  if (rollup === 'SUCCESS') return 'CHECKS_PASSING';
  return rollup === 'FAILURE' || rollup === 'ERROR' ? 'CHECKS_FAILING' : 'CHECKS_PENDING';
}

const mergeStates: Readonly<Record<string, ForgeReading['mergeability']>> = {
  BEHIND: 'MERGEABILITY_BEHIND',
  BLOCKED: 'MERGEABILITY_BLOCKED',
  CLEAN: 'MERGEABILITY_CLEAN',
  DIRTY: 'MERGEABILITY_CONFLICTING',
  DRAFT: 'MERGEABILITY_BLOCKED',
  HAS_HOOKS: 'MERGEABILITY_CLEAN',
  UNSTABLE: 'MERGEABILITY_UNSTABLE',
};

function mergeability({ mergeable, mergeStateStatus }: PullRequestNode): ForgeReading['mergeability'] {
  if (mergeable === 'CONFLICTING') return 'MERGEABILITY_CONFLICTING';
  return mergeStates[mergeStateStatus ?? ''] ?? 'MERGEABILITY_UNKNOWN';
}

const failures = new Set(['FAILURE', 'ERROR', 'CANCELLED', 'TIMED_OUT', 'ACTION_REQUIRED', 'STARTUP_FAILURE']);

/** The names of failed checks in a node of `GithubFailing`. */
export function githubFailing(node: NonNullable<z.output<typeof GithubFailing>['nodes'][number]>): string[] {
  const contexts = node.commits.at(-1)?.commit.statusCheckRollup?.contexts ?? [];
  return contexts
    .filter(({ conclusion, state }) => failures.has(conclusion ?? state ?? ''))
    .map(({ name, context }) => name ?? context ?? '');
}
