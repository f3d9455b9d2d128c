import { z } from 'zod';
import type { ForgeReading } from '#contract/forge/forge.ts';
import { forgeTime } from './forge-time.ts';

const Repository = z.object({
  full_name: z.string(),
  uuid: z.string(),
  links: z.object({ html: z.object({ href: z.string() }) }),
});
export const BitbucketRepository = Repository.extend({ parent: z.object({ full_name: z.string() }).nullish() });

const End = z.object({
  branch: z.object({ name: z.string() }),
  commit: z.object({ hash: z.string() }).nullish(),
  repository: Repository.nullish(),
});

export const BitbucketPull = z.object({
  id: z.int(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  created_on: forgeTime,
  updated_on: forgeTime,
  source: End,
  destination: End,
  links: z.object({ html: z.object({ href: z.string() }) }),
  participants: z
    .array(z.object({ state: z.string().nullish(), approved: z.boolean().nullish(), role: z.string().nullish() }))
    .nullish(),
  reviewers: z.array(z.unknown()).nullish(),
});
export type BitbucketPull = z.output<typeof BitbucketPull>;

/** A page of values. `next` is the full URL of the next page. */
export function bitbucketPage<S extends z.ZodType>(value: S) {
  return z.object({ values: z.array(value), next: z.string().optional() });
}

export const BitbucketStatus = z.object({ state: z.string(), name: z.string().nullish(), key: z.string() });
export const BitbucketCommit = z.object({ hash: z.string().regex(/^[0-9a-f]{40}$/) });
/** A file in the diffstat of a pull request. */
export const BitbucketFileChange = z.object({ status: z.string().nullish() });
/** A page of them. */
export type BitbucketFileChanges = {
  readonly values: readonly z.output<typeof BitbucketFileChange>[];
  readonly next?: string | undefined;
};
export const BitbucketActivity = z.object({
  update: z.object({ state: z.string().nullish(), date: forgeTime }).nullish(),
});
export const BitbucketUser = z.object({ username: z.string().nullish(), display_name: z.string().nullish() });

/** The details that need further requests besides the pull request itself. */
export interface BitbucketDetails {
  readonly headSha: string;
  readonly baseSha: string;
  /** When it was merged or declined. */
  readonly finishedAt: string | undefined;
  /** Undefined if reviews and checks are not requested. */
  readonly statuses: readonly z.output<typeof BitbucketStatus>[] | undefined;
  /** Whether a file of it conflicts with its base. */
  readonly conflicts: boolean;
}

/**
 * Whether a file has a conflict. Bitbucket reports several kinds: `merge conflict`, `rename conflict`, `subrepo
 * conflict` …, and `local deleted` or `remote deleted` if one side changed what the other removed.
 */
export function isConflict({ status }: z.output<typeof BitbucketFileChange>): boolean {
  return /(?: conflict|^local deleted|^remote deleted)$/.test(status ?? '');
}

/** Converts Bitbucket's state of a pull request. */
export function bitbucketState({ state }: BitbucketPull): ForgeReading['state'] {
  if (state === 'MERGED') return 'MERGED';
  return state === 'DECLINED' || state === 'SUPERSEDED' ? 'CLOSED' : 'OPEN';
}

/**
 * Converts a pull request to a reading. Bitbucket reports conflicts, but not whether the pull request is otherwise
 * mergeable.
 */
export function bitbucketReading(pull: BitbucketPull, fallbackUrl: string, details: BitbucketDetails): ForgeReading {
  const { repository } = pull.destination;
  const state = bitbucketState(pull);
  const finishedAt = details.finishedAt ?? pull.updated_on;
  return {
    forge: 'bitbucket',
    providerId: `${repository?.uuid ?? ''}/${pull.id}`,
    url: pull.links.html.href,
    repositoryUrl: repository?.links.html.href ?? fallbackUrl,
    headRepositoryUrl: pull.source.repository?.links.html.href ?? '',
    number: pull.id,
    title: pull.title,
    headBranch: pull.source.branch.name,
    headSha: details.headSha,
    baseBranch: pull.destination.branch.name,
    baseSha: details.baseSha,
    draft: pull.draft ?? false,
    state,
    createdAt: pull.created_on,
    updatedAt: pull.updated_on,
    ...(state === 'MERGED' && { mergedAt: finishedAt }),
    ...(state !== 'OPEN' && { closedAt: finishedAt }),
    reviewDecision: details.statuses === undefined ? 'REVIEW_DECISION_UNSPECIFIED' : reviewDecision(pull),
    checks: details.statuses === undefined ? 'CHECKS_UNSPECIFIED' : checks(details.statuses),
    mergeability: mergeability(details),
    failingChecks: [],
    inMergeQueue: state === 'OPEN' && pull.state === 'QUEUED',
  };
}

function mergeability({ statuses, conflicts }: BitbucketDetails): ForgeReading['mergeability'] {
  if (statuses === undefined) return 'MERGEABILITY_UNSPECIFIED';
  return conflicts ? 'MERGEABILITY_CONFLICTING' : 'MERGEABILITY_UNKNOWN';
}

function reviewDecision({ participants, reviewers }: BitbucketPull): ForgeReading['reviewDecision'] {
  const states = (participants ?? []).map(({ state, approved }) => state ?? (approved ? 'approved' : ''));
  if (states.includes('changes_requested')) return 'REVIEW_DECISION_CHANGES_REQUESTED';
  if (states.includes('approved')) return 'REVIEW_DECISION_APPROVED';
  const isAsked = (reviewers ?? []).length > 0 || (participants ?? []).some(({ role }) => role === 'REVIEWER');
  return isAsked ? 'REVIEW_DECISION_PENDING' : 'REVIEW_DECISION_NONE';
}

/** Whether a build status counts as a failure. */
export function hasFailed({ state }: z.output<typeof BitbucketStatus>): boolean {
  return state === 'FAILED' || state === 'STOPPED';
}

function checks(statuses: readonly z.output<typeof BitbucketStatus>[]): ForgeReading['checks'] {
  if (statuses.length === 0) return 'CHECKS_NONE';
  if (statuses.some(hasFailed)) return 'CHECKS_FAILING';
  return statuses.every(({ state }) => state === 'SUCCESSFUL') ? 'CHECKS_PASSING' : 'CHECKS_PENDING';
}
