import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** Where a pull request stands, decided on the server. */
export const PullRequestState = enumeration('forge.v1.PullRequestState', [
  'PULL_REQUEST_STATE_UNSPECIFIED',
  'PULL_REQUEST_STATE_UNREAD',
  'PULL_REQUEST_STATE_NONE',
  'PULL_REQUEST_STATE_OPEN',
  'PULL_REQUEST_STATE_APPROVED',
  'PULL_REQUEST_STATE_CHANGES_REQUESTED',
  'PULL_REQUEST_STATE_DRAFT',
  'PULL_REQUEST_STATE_MERGED',
  'PULL_REQUEST_STATE_CLOSED',
  'PULL_REQUEST_STATE_FAILING',
  'PULL_REQUEST_STATE_APPROVED_WAITING',
  'PULL_REQUEST_STATE_CONFLICTING',
]);
export type PullRequestState = z.infer<typeof PullRequestState>;

/** Where the checks on a pull request's head stand. */
export const Checks = enumeration('forge.v1.Checks', [
  'CHECKS_UNSPECIFIED',
  'CHECKS_NONE',
  'CHECKS_PENDING',
  'CHECKS_PASSING',
  'CHECKS_FAILING',
]);
export type Checks = z.infer<typeof Checks>;

/** The forge's view of a pull request against its base and rules. */
export const Mergeability = enumeration('forge.v1.Mergeability', [
  'MERGEABILITY_UNSPECIFIED',
  'MERGEABILITY_UNKNOWN',
  'MERGEABILITY_CLEAN',
  'MERGEABILITY_UNSTABLE',
  'MERGEABILITY_BLOCKED',
  'MERGEABILITY_BEHIND',
  'MERGEABILITY_CONFLICTING',
]);
export type Mergeability = z.infer<typeof Mergeability>;

/** Where the forge says the reviews stand. */
export const ReviewDecision = enumeration('forge.v1.ReviewDecision', [
  'REVIEW_DECISION_UNSPECIFIED',
  'REVIEW_DECISION_NONE',
  'REVIEW_DECISION_PENDING',
  'REVIEW_DECISION_APPROVED',
  'REVIEW_DECISION_CHANGES_REQUESTED',
]);
export type ReviewDecision = z.infer<typeof ReviewDecision>;

/** A pull request as stored. Timestamps are RFC 3339 in UTC. */
export const PullRequest = message('forge.v1.PullRequest', {
  id: [1, z.string()],
  forge: [2, z.string()],
  providerId: [3, z.string()],
  url: [4, z.string()],
  repositoryUrl: [5, z.string()],
  headRepositoryUrl: [6, z.string()],
  number: [7, z.int32()],
  title: [8, z.string()],
  headBranch: [9, z.string()],
  headSha: [10, z.string()],
  baseBranch: [11, z.string()],
  baseSha: [12, z.string()],
  draft: [13, z.boolean()],
  state: [14, PullRequestState],
  openedAt: [15, z.string()],
  changedAt: [16, z.string()],
  mergedAt: [17, z.string()],
  closedAt: [18, z.string()],
  reviewDecision: [19, ReviewDecision],
  checks: [20, Checks],
  mergeability: [21, Mergeability],
  /** Whether it waits in the forge's merge queue. One that is approved is APPROVED_WAITING for as long. */
  inMergeQueue: [22, z.boolean()],
});
export type PullRequest = z.infer<typeof PullRequest>;

/** Where the pull request opened from an agent's branch stands. */
export const PullRequestStanding = message('forge.v1.PullRequestStanding', {
  state: [1, PullRequestState],
  number: [2, z.int32()],
  url: [3, z.string()],
  title: [4, z.string()],
  checks: [5, Checks],
  mergeability: [6, Mergeability],
  /** Whether the current pull request waits in the forge's merge queue. */
  inMergeQueue: [7, z.boolean()],
});
export type PullRequestStanding = z.infer<typeof PullRequestStanding>;

/** A pull request read live from the forge and stored nowhere. Timestamps are RFC 3339. */
export const ForgePullRequest = message('forge.v1.ForgePullRequest', {
  forge: [1, z.string()],
  providerId: [2, z.string()],
  url: [3, z.string()],
  repositoryUrl: [4, z.string()],
  headRepositoryUrl: [5, z.string()],
  number: [6, z.int32()],
  title: [7, z.string()],
  headBranch: [8, z.string()],
  headSha: [9, z.string()],
  baseBranch: [10, z.string()],
  baseSha: [11, z.string()],
  draft: [12, z.boolean()],
  /** One of OPEN, CLOSED, MERGED. */
  state: [13, z.string()],
  createdAt: [14, z.string()],
  updatedAt: [15, z.string()],
  mergedAt: [16, z.string()],
  closedAt: [17, z.string()],
});
export type ForgePullRequest = z.infer<typeof ForgePullRequest>;
