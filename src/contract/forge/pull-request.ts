import { z } from 'zod';
import { enumeration, meaningsOf, message } from '#contract/message.ts';

/** The state of a pull request, decided on the server. */
export const PullRequestState = enumeration('forge.v1.PullRequestState', {
  PULL_REQUEST_STATE_UNSPECIFIED: 'No state. In a request: any.',
  PULL_REQUEST_STATE_UNREAD: 'Its repository’s first sweep has not completed.',
  PULL_REQUEST_STATE_NONE: 'Its repository was swept, and nothing was opened from the branch.',
  PULL_REQUEST_STATE_OPEN: 'Open, without a review decision that settles it.',
  PULL_REQUEST_STATE_APPROVED: 'Open, and the forge would merge it now.',
  PULL_REQUEST_STATE_CHANGES_REQUESTED: 'Open, and a reviewer asks for changes.',
  PULL_REQUEST_STATE_DRAFT: 'A draft, whatever its reviews say.',
  PULL_REQUEST_STATE_MERGED: 'Merged into its base.',
  PULL_REQUEST_STATE_CLOSED: 'Closed without being merged.',
  PULL_REQUEST_STATE_FAILING: 'Open, and a check on its head fails, whatever its reviews say.',
  PULL_REQUEST_STATE_APPROVED_WAITING:
    'Approved, but not mergeable yet: checks are running, the branch is behind, a rule is unmet, or it waits in the merge queue.',
  PULL_REQUEST_STATE_CONFLICTING: 'Open, and no longer merges cleanly into its base, whatever its reviews say.',
});
export type PullRequestState = z.infer<typeof PullRequestState>;

/** The state of the checks on a pull request's head. */
export const Checks = enumeration('forge.v1.Checks', {
  CHECKS_UNSPECIFIED: 'Unknown, or there is no pull request.',
  CHECKS_NONE: 'Its head has no checks.',
  CHECKS_PENDING: 'Some checks have not finished.',
  CHECKS_PASSING: 'All checks passed.',
  CHECKS_FAILING: 'A check failed.',
});
export type Checks = z.infer<typeof Checks>;

/** The forge's view of a pull request against its base and rules. */
export const Mergeability = enumeration('forge.v1.Mergeability', {
  MERGEABILITY_UNSPECIFIED: 'Unknown, or there is no pull request.',
  MERGEABILITY_UNKNOWN: 'The forge has not determined it yet.',
  MERGEABILITY_CLEAN: 'It can be merged.',
  MERGEABILITY_UNSTABLE: 'It can be merged, although a check that is not required fails or is running.',
  MERGEABILITY_BLOCKED: 'A rule of the branch forbids it for now.',
  MERGEABILITY_BEHIND: 'Its branch is behind its base, and a rule requires it to be up to date.',
  MERGEABILITY_CONFLICTING: 'It does not merge cleanly into its base.',
});
export type Mergeability = z.infer<typeof Mergeability>;

/** The outcome of the reviews, as the forge reports it. */
export const ReviewDecision = enumeration('forge.v1.ReviewDecision', {
  REVIEW_DECISION_UNSPECIFIED: 'Unknown.',
  REVIEW_DECISION_NONE: 'No review is required, and none settles it.',
  REVIEW_DECISION_PENDING: 'A required review is missing.',
  REVIEW_DECISION_APPROVED: 'Reviewers approved it.',
  REVIEW_DECISION_CHANGES_REQUESTED: 'A reviewer asks for changes.',
});
export type ReviewDecision = z.infer<typeof ReviewDecision>;

/** A stored pull request. Timestamps are RFC 3339 in UTC. */
export const PullRequest = message('forge.v1.PullRequest', {
  id: [1, z.string(), 'The id of the stored row: `pul_` and a ULID.'],
  forge: [2, z.string(), 'The kind of its forge, such as `github`.'],
  providerId: [3, z.string(), 'The forge’s own stable identifier.'],
  url: [4, z.string(), 'The web address that a person opens.'],
  repositoryUrl: [5, z.string(), 'The web address of the repository it targets.'],
  headRepositoryUrl: [
    6,
    z.string(),
    'The web address of the repository that contains its branch. Empty if the forge no longer has it.',
  ],
  number: [7, z.int32(), 'The number that the forge shows, per repository.'],
  title: [8, z.string(), 'The title that its author gave it.'],
  headBranch: [9, z.string(), 'The branch it was opened from.'],
  headSha: [10, z.string(), 'The commit at the tip of that branch when last read.'],
  baseBranch: [11, z.string(), 'The branch it targets.'],
  baseSha: [12, z.string(), 'The commit at the tip of the target branch when last read.'],
  draft: [13, z.boolean(), 'Whether the forge marks it as a draft.'],
  state: [14, PullRequestState, 'Its state, decided from the other fields.'],
  openedAt: [15, z.string(), 'When it was opened on the forge: RFC 3339, UTC.'],
  changedAt: [16, z.string(), 'When the forge last saw it change: RFC 3339, UTC.'],
  mergedAt: [17, z.string(), 'When it was merged: RFC 3339, UTC. Unset until then.'],
  closedAt: [18, z.string(), 'When it was closed: RFC 3339, UTC. Unset while open; a merged one has it too.'],
  reviewDecision: [19, ReviewDecision, 'The outcome of its reviews, as the forge reports it.'],
  checks: [20, Checks, 'The state of the checks on its head.'],
  mergeability: [21, Mergeability, 'Whether it can be merged, by its base and rules, as the forge reports it.'],
  inMergeQueue: [
    22,
    z.boolean(),
    'Whether it waits in the forge’s merge queue. If approved, its state is APPROVED_WAITING meanwhile.',
  ],
});
export type PullRequest = z.infer<typeof PullRequest>;

/** The state of the pull request that was opened from an agent's branch. */
export const PullRequestStanding = message('forge.v1.PullRequestStanding', {
  state: [
    1,
    PullRequestState,
    'UNREAD before the repository was read, NONE without a pull request, else the state of the current one.',
  ],
  number: [2, z.int32(), 'The number of the current pull request. Unset for UNREAD and NONE.'],
  url: [3, z.string(), 'The web address of the current pull request. Unset for UNREAD and NONE.'],
  title: [4, z.string(), 'The title of the current pull request. Unset for UNREAD and NONE.'],
  checks: [5, Checks, 'The state of the checks on its head. Unset for UNREAD and NONE.'],
  mergeability: [6, Mergeability, 'Whether it can be merged, as the forge reports it. Unset for UNREAD and NONE.'],
  inMergeQueue: [7, z.boolean(), 'Whether it waits in the forge’s merge queue.'],
});
export type PullRequestStanding = z.infer<typeof PullRequestStanding>;

const pullRequest = meaningsOf(PullRequest);

/** A pull request read live from the forge and stored nowhere. Timestamps are RFC 3339. */
export const ForgePullRequest = message('forge.v1.ForgePullRequest', {
  forge: [1, z.string(), pullRequest.forge],
  providerId: [2, z.string(), pullRequest.providerId],
  url: [3, z.string(), pullRequest.url],
  repositoryUrl: [4, z.string(), pullRequest.repositoryUrl],
  headRepositoryUrl: [5, z.string(), pullRequest.headRepositoryUrl],
  number: [6, z.int32(), pullRequest.number],
  title: [7, z.string(), pullRequest.title],
  headBranch: [8, z.string(), pullRequest.headBranch],
  headSha: [9, z.string(), pullRequest.headSha],
  baseBranch: [10, z.string(), pullRequest.baseBranch],
  baseSha: [11, z.string(), pullRequest.baseSha],
  draft: [12, z.boolean(), pullRequest.draft],
  state: [13, z.string(), 'One of OPEN, CLOSED, MERGED.'],
  createdAt: [14, z.string(), pullRequest.openedAt],
  updatedAt: [15, z.string(), pullRequest.changedAt],
  mergedAt: [16, z.string(), pullRequest.mergedAt],
  closedAt: [17, z.string(), pullRequest.closedAt],
});
export type ForgePullRequest = z.infer<typeof ForgePullRequest>;
