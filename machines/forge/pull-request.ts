import type { ForgeReadingState } from '#contract/forge/forge.ts';
import type { Checks, Mergeability, PullRequestState, ReviewDecision } from '#contract/forge/pull-request.ts';
import type { PullRequestMatter } from '#contract/workflow.ts';

/** The properties that determine the state of a pull request, as its forge reports them. */
export interface PullRequestFacts {
  readonly state: ForgeReadingState;
  readonly draft: boolean;
  readonly checks: Checks;
  readonly mergeability: Mergeability;
  readonly reviewDecision: ReviewDecision;
  /** Whether it waits in the forge's merge queue. */
  readonly inMergeQueue: boolean;
}

/**
 * The state of a pull request; the first matching rule decides. `isRead` is whether the first sweep of its repository
 * has ended, and undefined says that nothing was opened.
 */
export function pullRequestState(found: PullRequestFacts | undefined, isRead: boolean): PullRequestState {
  if (!isRead) return 'PULL_REQUEST_STATE_UNREAD';
  return found === undefined ? 'PULL_REQUEST_STATE_NONE' : standingOf(found);
}

/** The state of a pull request by its own row alone. */
export function standingOf(facts: PullRequestFacts): PullRequestState {
  const { state, draft, checks, mergeability, reviewDecision, inMergeQueue } = facts;
  if (state === 'MERGED') return 'PULL_REQUEST_STATE_MERGED';
  if (state === 'CLOSED') return 'PULL_REQUEST_STATE_CLOSED';
  if (draft) return 'PULL_REQUEST_STATE_DRAFT';
  // No checks run during a conflict, so their results are stale.
  if (mergeability === 'MERGEABILITY_CONFLICTING') return 'PULL_REQUEST_STATE_CONFLICTING';
  if (checks === 'CHECKS_FAILING') return 'PULL_REQUEST_STATE_FAILING';
  if (reviewDecision === 'REVIEW_DECISION_CHANGES_REQUESTED') return 'PULL_REQUEST_STATE_CHANGES_REQUESTED';
  if (reviewDecision !== 'REVIEW_DECISION_APPROVED') return 'PULL_REQUEST_STATE_OPEN';
  if (inMergeQueue) return 'PULL_REQUEST_STATE_APPROVED_WAITING';
  const isUnstable = mergeability === 'MERGEABILITY_UNSTABLE' && checks !== 'CHECKS_PENDING';
  const mayMerge = mergeability === 'MERGEABILITY_CLEAN' || isUnstable;
  return mayMerge ? 'PULL_REQUEST_STATE_APPROVED' : 'PULL_REQUEST_STATE_APPROVED_WAITING';
}

/** The properties by which pull requests of one branch are sorted. Times are milliseconds since 1970. */
interface OrderedPull {
  readonly forgeState: ForgeReadingState;
  readonly openedAt: number;
  readonly number: number;
}

const ranks: Readonly<Record<ForgeReadingState, number>> = { OPEN: 0, MERGED: 1, CLOSED: 2 };

/**
 * The pull requests of one branch with the current one first: the newest open, else the newest merged, else the newest
 * closed.
 */
export function currentFirst<Found extends OrderedPull>(found: readonly Found[]): Found[] {
  return found.toSorted(
    (one, other) =>
      ranks[one.forgeState] - ranks[other.forgeState] || other.openedAt - one.openedAt || other.number - one.number,
  );
}

/**
 * Whether a pull request merges according to its forge, and for which commits; `at` is when the forge last had an
 * answer, in milliseconds since 1970.
 */
export interface MergeReading {
  readonly headSha: string;
  readonly baseSha: string;
  readonly mergeability: Mergeability;
  readonly at: number;
}

/** How long the last known answer counts after the base has moved, in milliseconds. */
const freshMs = 5 * 60_000;

/**
 * Whether a pull request merges, after a new reading. After each push to the base, a forge has no answer until it has
 * computed it again. Meanwhile the last answer for the same commits, or a recent one for the same head, is kept, so
 * that rows do not flap.
 */
export function keepKnownMerge(known: MergeReading | undefined, reading: MergeReading): MergeReading {
  if (reading.mergeability !== 'MERGEABILITY_UNKNOWN' || known === undefined) return reading;
  const isSameHead = known.headSha === reading.headSha;
  const isFresh = known.baseSha === reading.baseSha || reading.at - known.at < freshMs;
  return isSameHead && isFresh ? known : reading;
}

/** What an agent may be mailed about a pull request, so that it fixes it. */
const matters = [
  'PULL_REQUEST_MATTER_FAILING_CHECKS',
  'PULL_REQUEST_MATTER_REQUESTED_CHANGES',
  'PULL_REQUEST_MATTER_CONFLICT',
] as const satisfies readonly PullRequestMatter[];

/**
 * What must be fixed on an open pull request. Drafts count, because their authors want to know about failing checks
 * too.
 */
export function mattersOf(facts: PullRequestFacts): PullRequestMatter[] {
  if (facts.state !== 'OPEN') return [];
  return matters.filter(
    (matter) =>
      ({
        PULL_REQUEST_MATTER_FAILING_CHECKS: facts.checks === 'CHECKS_FAILING',
        PULL_REQUEST_MATTER_REQUESTED_CHANGES: facts.reviewDecision === 'REVIEW_DECISION_CHANGES_REQUESTED',
        PULL_REQUEST_MATTER_CONFLICT: facts.mergeability === 'MERGEABILITY_CONFLICTING',
      })[matter],
  );
}
