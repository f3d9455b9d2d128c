import type { ForgeReadingState } from '#contract/forge/forge.ts';
import type { Checks, Mergeability, PullRequestState, ReviewDecision } from '#contract/forge/pull-request.ts';
import type { PullRequestMatter } from '#contract/workflow.ts';

/** What decides the state of a pull request, as its forge reports it. */
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
 * The state of a pull request; the first rule that fits decides. `isRead` is whether the first sweep of its repository
 * has ended, and undefined says that nothing was opened.
 */
export function pullRequestState(found: PullRequestFacts | undefined, isRead: boolean): PullRequestState {
  if (!isRead) return 'PULL_REQUEST_STATE_UNREAD';
  return found === undefined ? 'PULL_REQUEST_STATE_NONE' : standingOf(found);
}

/** Where a pull request stands by its own row alone. */
export function standingOf(facts: PullRequestFacts): PullRequestState {
  const { state, draft, checks, mergeability, reviewDecision, inMergeQueue } = facts;
  if (state === 'MERGED') return 'PULL_REQUEST_STATE_MERGED';
  if (state === 'CLOSED') return 'PULL_REQUEST_STATE_CLOSED';
  if (draft) return 'PULL_REQUEST_STATE_DRAFT';
  // With a conflict no checks run again, so what they say is of another time.
  if (mergeability === 'MERGEABILITY_CONFLICTING') return 'PULL_REQUEST_STATE_CONFLICTING';
  if (checks === 'CHECKS_FAILING') return 'PULL_REQUEST_STATE_FAILING';
  if (reviewDecision === 'REVIEW_DECISION_CHANGES_REQUESTED') return 'PULL_REQUEST_STATE_CHANGES_REQUESTED';
  if (reviewDecision !== 'REVIEW_DECISION_APPROVED') return 'PULL_REQUEST_STATE_OPEN';
  if (inMergeQueue) return 'PULL_REQUEST_STATE_APPROVED_WAITING';
  const isUnstable = mergeability === 'MERGEABILITY_UNSTABLE' && checks !== 'CHECKS_PENDING';
  const mayMerge = mergeability === 'MERGEABILITY_CLEAN' || isUnstable;
  return mayMerge ? 'PULL_REQUEST_STATE_APPROVED' : 'PULL_REQUEST_STATE_APPROVED_WAITING';
}

/** What puts pull requests of one branch in order. Times are milliseconds since 1970. */
interface Placed {
  readonly forgeState: ForgeReadingState;
  readonly openedAt: number;
  readonly number: number;
}

const ranks: Readonly<Record<ForgeReadingState, number>> = { OPEN: 0, MERGED: 1, CLOSED: 2 };

/**
 * The pull requests of one branch with the current one first: the newest open, else the newest merged, else the newest
 * closed.
 */
export function currentFirst<Found extends Placed>(found: readonly Found[]): Found[] {
  return found.toSorted(
    (one, other) =>
      ranks[one.forgeState] - ranks[other.forgeState] || other.openedAt - one.openedAt || other.number - one.number,
  );
}

/**
 * What a forge says of merging a pull request, and of which commits; `at` is when it last did, in milliseconds since
 * 1970.
 */
export interface MergeReading {
  readonly headSha: string;
  readonly baseSha: string;
  readonly mergeability: Mergeability;
  readonly at: number;
}

/** How long what was known stays good though the base has moved, in milliseconds. */
const staysGood = 5 * 60_000;

/**
 * What is known of merging after a new reading. Forges forget the answer with each push to the base and find it again:
 * what was known of the same commits, or of the same head until just now, stays, so that rows do not flap meanwhile.
 */
export function settledMerge(known: MergeReading | undefined, reading: MergeReading): MergeReading {
  if (reading.mergeability !== 'MERGEABILITY_UNKNOWN' || known === undefined) return reading;
  const isSameHead = known.headSha === reading.headSha;
  const isFresh = known.baseSha === reading.baseSha || reading.at - known.at < staysGood;
  return isSameHead && isFresh ? known : reading;
}

/** What an agent may be mailed about a pull request, so that it fixes it. */
const matters = [
  'PULL_REQUEST_MATTER_FAILING_CHECKS',
  'PULL_REQUEST_MATTER_REQUESTED_CHANGES',
  'PULL_REQUEST_MATTER_CONFLICT',
] as const satisfies readonly PullRequestMatter[];

/**
 * What is to be fixed on a pull request that is open, drafts included: whoever opened one wants to know of its checks.
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
