import { z } from 'zod';
import type { ForgeReading } from '#contract/forge/forge.ts';
import { forgeTime } from './forge-time.ts';
import { nodesOf } from './nodes.ts';

const webUrl = z.object({ webUrl: z.string() });

const MergeRequestNode = z.object({
  id: z.string(),
  iid: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  webUrl: z.string(),
  title: z.string(),
  draft: z.boolean(),
  state: z.string(),
  createdAt: forgeTime,
  updatedAt: forgeTime,
  mergedAt: forgeTime.nullish(),
  closedAt: forgeTime.nullish(),
  sourceBranch: z.string(),
  targetBranch: z.string(),
  sourceProject: webUrl.nullish(),
  diffHeadSha: z.string().nullish(),
  diffRefs: z.object({ startSha: z.string() }).nullish(),
  detailedMergeStatus: z.string().nullish(),
  approved: z.boolean().nullish(),
  approvedBy: nodesOf(z.object({ username: z.string() })),
  reviewers: nodesOf(z.object({ mergeRequestInteraction: z.object({ reviewState: z.string().nullish() }).nullish() })),
  headPipeline: z.object({ status: z.string() }).nullish(),
});
type MergeRequestNode = z.output<typeof MergeRequestNode>;

export const GitlabList = z.object({
  project: z
    .object({
      webUrl: z.string(),
      mergeRequests: z
        .object({
          pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }).optional(),
          nodes: z.array(MergeRequestNode.nullable()).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

export const GitlabFailing = z.object({
  project: z
    .object({
      mergeRequests: nodesOf(
        z.object({
          iid: z.string(),
          headPipeline: z
            .object({ jobs: nodesOf(z.object({ name: z.string(), allowFailure: z.boolean() })) })
            .nullish(),
        }),
      ),
    })
    .nullish(),
});

export const GitlabProbe = z.object({ project: z.object({ mergeRequests: z.unknown() }).nullish() });
export const GitlabUser = z.object({ currentUser: z.object({ username: z.string() }).nullish() });

const states: Readonly<Record<string, ForgeReading['state']>> = { closed: 'CLOSED', merged: 'MERGED' };

/** Converts a node to a reading; `plain` if reviews, checks and mergeability were not requested. */
export function gitlabReading(node: MergeRequestNode, repositoryUrl: string, plain: boolean): ForgeReading {
  const closedAt = node.closedAt ?? node.mergedAt;
  return {
    forge: 'gitlab',
    providerId: node.id,
    url: node.webUrl,
    repositoryUrl,
    headRepositoryUrl: node.sourceProject?.webUrl ?? '',
    number: node.iid,
    title: node.title,
    headBranch: node.sourceBranch,
    headSha: node.diffHeadSha ?? '',
    baseBranch: node.targetBranch,
    baseSha: node.diffRefs?.startSha ?? '',
    draft: node.draft,
    // A merge request is locked while it is being merged.
    state: states[node.state] ?? 'OPEN',
    createdAt: node.createdAt,
    updatedAt: node.updatedAt,
    ...(node.mergedAt && { mergedAt: node.mergedAt }),
    ...(closedAt && { closedAt }),
    reviewDecision: plain ? 'REVIEW_DECISION_UNSPECIFIED' : reviewDecision(node),
    checks: plain ? 'CHECKS_UNSPECIFIED' : checks(node.headPipeline?.status, node.detailedMergeStatus),
    mergeability: plain
      ? 'MERGEABILITY_UNSPECIFIED'
      : node.detailedMergeStatus
        ? (mergeStates[node.detailedMergeStatus] ?? 'MERGEABILITY_BLOCKED')
        : 'MERGEABILITY_UNKNOWN',
    failingChecks: [],
    inMergeQueue: false,
  };
}

/** `approved` is also true if no approval is required, so at least one approval is needed. */
function reviewDecision(node: MergeRequestNode): ForgeReading['reviewDecision'] {
  const states = node.reviewers.map(({ mergeRequestInteraction }) => mergeRequestInteraction?.reviewState);
  const status = node.detailedMergeStatus;
  if (states.includes('REQUESTED_CHANGES') || status === 'REQUESTED_CHANGES')
    return 'REVIEW_DECISION_CHANGES_REQUESTED';
  if (node.approved && node.approvedBy.length > 0) return 'REVIEW_DECISION_APPROVED';
  const isAwaited = node.reviewers.length > 0 || status === 'NOT_APPROVED' || status === 'CODE_OWNERS_APPROVAL';
  return isAwaited ? 'REVIEW_DECISION_PENDING' : 'REVIEW_DECISION_NONE';
}

/** A pipeline with a manual job counts as pending only if merging waits for it. */
function checks(pipeline: string | undefined, mergeStatus: string | null | undefined): ForgeReading['checks'] {
  switch (pipeline) {
    case undefined:
      return 'CHECKS_NONE';
    case 'SUCCESS':
    case 'SKIPPED':
      return 'CHECKS_PASSING';
    case 'FAILED':
    case 'CANCELED':
      return 'CHECKS_FAILING';
    case 'MANUAL':
      return mergeStatus === 'CI_MUST_PASS' || mergeStatus === 'CI_STILL_RUNNING' ? 'CHECKS_PENDING' : 'CHECKS_PASSING';
    default:
      return 'CHECKS_PENDING';
  }
}

/** Any other status blocks merging. */
const mergeStates: Readonly<Record<string, ForgeReading['mergeability']>> = {
  APPROVALS_SYNCING: 'MERGEABILITY_UNKNOWN',
  CHECKING: 'MERGEABILITY_UNKNOWN',
  CI_STILL_RUNNING: 'MERGEABILITY_UNSTABLE',
  CONFLICT: 'MERGEABILITY_CONFLICTING',
  MERGEABLE: 'MERGEABILITY_CLEAN',
  NEED_REBASE: 'MERGEABILITY_BEHIND',
  PREPARING: 'MERGEABILITY_UNKNOWN',
  UNCHECKED: 'MERGEABILITY_UNKNOWN',
};
