import { z } from 'zod';
import type { ForgeReading } from '#contract/forge/forge.ts';
import { forgeTime } from './forge-time.ts';

const Repository = z.object({
  html_url: z.string(),
  full_name: z.string(),
  parent: z.object({ full_name: z.string() }).nullish(),
});
export const GiteaRepository = Repository;

const Branch = z.object({
  label: z.string(),
  ref: z.string(),
  sha: z.string().nullish(),
  repo: Repository.nullish(),
});

export const GiteaPull = z.object({
  id: z.int(),
  number: z.int(),
  html_url: z.string(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  mergeable: z.boolean().nullish(),
  created_at: forgeTime,
  updated_at: forgeTime,
  merged_at: forgeTime.nullish(),
  closed_at: forgeTime.nullish(),
  head: Branch,
  base: Branch,
  /** The merge base. */
  merge_base: z.string().nullish(),
  requested_reviewers: z.array(z.unknown()).nullish(),
});
export type GiteaPull = z.output<typeof GiteaPull>;

export const GiteaReview = z.object({
  state: z.string(),
  official: z.boolean().nullish(),
  stale: z.boolean().nullish(),
  dismissed: z.boolean().nullish(),
  user: z.object({ login: z.string() }).nullish(),
});

export const GiteaStatus = z.object({
  state: z.string(),
  total_count: z.int(),
  statuses: z.array(z.object({ context: z.string(), status: z.string() })).nullish(),
});

/** The branch rules that every reader of a repository sees. Only owners see the others. */
export const GiteaBranch = z.object({
  protected: z.boolean(),
  required_approvals: z.int().nullish(),
  enable_status_check: z.boolean().nullish(),
});

export const GiteaUser = z.object({ login: z.string() });

/** The details that need further requests besides the pull request itself. */
export interface GiteaDetails {
  readonly reviews: readonly z.output<typeof GiteaReview>[];
  readonly status: z.output<typeof GiteaStatus> | undefined;
  /** The meaning of the pull request’s `mergeable`. */
  readonly merges: 'yes' | 'no' | 'unsure';
  /** The rules of its base; undefined if not requested, or if the credential may not see them. */
  readonly rules: z.output<typeof GiteaBranch> | undefined;
}

/** The branch that a pull request was opened from. Once it is deleted, only the label has the name. */
export function giteaHeadBranch({ head }: GiteaPull): string {
  return head.ref.startsWith('refs/pull/') ? head.label : head.ref;
}

/** Converts a pull request to a reading. Without details, it has no reviews, checks and mergeability. */
export function giteaReading(pull: GiteaPull, fallbackUrl: string, details: GiteaDetails | undefined): ForgeReading {
  const closedAt = pull.closed_at ?? pull.merged_at;
  const draft = pull.draft ?? /^\[?wip(\]|:)/i.test(pull.title);
  const checks = details && checksOf(details);
  return {
    forge: 'gitea',
    providerId: String(pull.id),
    url: pull.html_url,
    repositoryUrl: pull.base.repo?.html_url ?? fallbackUrl,
    headRepositoryUrl: pull.head.repo?.html_url ?? '',
    number: pull.number,
    title: pull.title,
    headBranch: giteaHeadBranch(pull),
    headSha: pull.head.sha ?? '',
    baseBranch: pull.base.ref,
    baseSha: pull.base.sha ?? '',
    draft,
    state: pull.merged ? 'MERGED' : pull.state === 'open' ? 'OPEN' : 'CLOSED',
    createdAt: pull.created_at,
    updatedAt: pull.updated_at,
    ...(pull.merged_at && { mergedAt: pull.merged_at }),
    ...(closedAt && { closedAt }),
    reviewDecision: details === undefined ? 'REVIEW_DECISION_UNSPECIFIED' : reviewDecision(pull, details),
    checks: checks ?? 'CHECKS_UNSPECIFIED',
    ...(details === undefined
      ? { mergeability: 'MERGEABILITY_UNSPECIFIED' as const }
      : mergeability(pull, details, draft, checks ?? 'CHECKS_NONE')),
    failingChecks: [],
    inMergeQueue: false,
  };
}

/** The decision from the newest counting review of each person. Reviews are in ascending order. */
function reviewDecision(pull: GiteaPull, { reviews }: GiteaDetails): ForgeReading['reviewDecision'] {
  const isAsked =
    (pull.requested_reviewers ?? []).length > 0 || reviews.some(({ state }) => state === 'REQUEST_REVIEW');
  const states = verdicts(reviews);
  if (states.includes('REQUEST_CHANGES')) return 'REVIEW_DECISION_CHANGES_REQUESTED';
  if (states.includes('APPROVED')) return 'REVIEW_DECISION_APPROVED';
  return isAsked ? 'REVIEW_DECISION_PENDING' : 'REVIEW_DECISION_NONE';
}

function checksOf({ status }: GiteaDetails): ForgeReading['checks'] {
  if (status === undefined || status.total_count === 0) return 'CHECKS_NONE';
  if (status.state === 'success' || status.state === 'warning') return 'CHECKS_PASSING';
  return status.state === 'failure' || status.state === 'error' ? 'CHECKS_FAILING' : 'CHECKS_PENDING';
}

/** The newest verdict of each person whose review counts. */
function verdicts(reviews: GiteaDetails['reviews']): string[] {
  const newest = new Map<string, string>();
  for (const { state, official, stale, dismissed, user } of reviews) {
    if (!official || stale || dismissed || !user) continue;
    if (state === 'APPROVED' || state === 'REQUEST_CHANGES') newest.set(user.login, state);
  }
  return [...newest.values()];
}

/**
 * Whether the forge found that a pull request merges and its branch is up to date, so that only rules can prevent the
 * merge.
 */
export function isBlockedByRulesOnly(pull: GiteaPull, merges: GiteaDetails['merges']): boolean {
  return merges === 'yes' && !isBehind(pull);
}

function isBehind({ merge_base: left, base }: GiteaPull): boolean {
  return !!left && !!base.sha && left !== base.sha;
}

function mergeability(
  pull: GiteaPull,
  { merges, rules, reviews }: GiteaDetails,
  draft: boolean,
  checks: ForgeReading['checks'],
): Pick<ForgeReading, 'mergeability' | 'mergeIsFinal'> {
  if (draft) return { mergeability: 'MERGEABILITY_BLOCKED' };
  if (merges === 'unsure') return { mergeability: 'MERGEABILITY_UNKNOWN' };
  if (merges === 'no') return { mergeability: 'MERGEABILITY_CONFLICTING' };
  if (isBehind(pull)) return { mergeability: 'MERGEABILITY_BEHIND' };
  if (rules?.protected !== false) {
    const approvals = verdicts(reviews).filter((verdict) => verdict === 'APPROVED').length;
    const lacksApproval = approvals < (rules?.required_approvals ?? 0);
    const lacksCheck = rules?.enable_status_check === true && checks !== 'CHECKS_PASSING';
    if (lacksApproval || lacksCheck) return { mergeability: 'MERGEABILITY_BLOCKED' };
    return { mergeability: 'MERGEABILITY_UNKNOWN', mergeIsFinal: true };
  }
  const isUnstable = checks === 'CHECKS_FAILING' || checks === 'CHECKS_PENDING';
  return { mergeability: isUnstable ? 'MERGEABILITY_UNSTABLE' : 'MERGEABILITY_CLEAN' };
}
