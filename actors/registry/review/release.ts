import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { hasEnded } from '#actors/registry/agent/agent-standing.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { raiseBell } from '#actors/registry/doorbell/doorbells.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import type { ReviewConclusion } from '#contract/review/review.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { batchViewOf, type Conclusion } from '#machines/review/review-batch.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredMessage, StoredReview, StoredThread } from '#store/review/entities.ts';
import type { Tables } from '#store/tables.ts';
import { authorReviewStatus } from './author-review-status.ts';
import { advanceBatch } from './batches.ts';

/** A batch with its comments, and the threads that they are in. */
export interface BatchContent {
  readonly batch: StoredReview;
  readonly messages: readonly StoredMessage[];
  readonly threads: readonly StoredThread[];
}

/**
 * Releases a batch, in one transaction: the agent can read its comments, its verdict is on the agent's row, and the
 * agent's doorbell is raised once.
 * @throws FAILED_PRECONDITION when the batch is closed or the agent has ended
 */
export async function releaseBatch(
  writing: Change,
  agent: StoredAgent,
  { batch, messages, threads }: BatchContent,
  given: Omit<Conclusion, 'launcher' | 'notCounting'>,
  harnesses: Harnesses,
): Promise<StoredReview> {
  if (hasEnded(agent)) {
    const how = agent.standing === 'archived' ? 'is archived: restore it first' : 'is being deleted';
    throw new Failure(
      'REVIEW_NOT_DELIVERABLE',
      `Agent ${describeAgent(agent)} ${how}, so no review can be released to it`,
    );
  }
  const { tables, now } = writing;
  const { reviews } = tables;
  const { name, ...standing } = await authorReviewStatus(tables, harnesses, agent.id, batch.author);
  const conclusion: Conclusion = { ...given, ...standing };
  const before = await reviews.lastCounting(agent.id);
  const released = await advanceBatch(writing, batch, { type: 'RELEASE', conclusion });
  const { comments } = batchViewOf(released.snapshot);
  const raise = { cause: 'DOORBELL_CAUSE_REVIEW', count: Math.max(comments, 1) } as const;
  const { id: doorbell } = await raiseBell(writing, agent.id, raise, { known: agent });
  await reviews.changeMessages(
    messages.map(({ id }) => id),
    { sentAt: now, doorbell },
  );
  const [opened, known] = [
    threads.filter(({ releasedAt }) => releasedAt == null),
    threads.filter(({ releasedAt }) => releasedAt != null),
  ];
  await reviews.changeThreads(
    opened.map(({ id }) => id),
    { releasedAt: now, updatedAt: now },
  );
  await reviews.changeThreads(
    known.map(({ id }) => id),
    { updatedAt: now },
  );
  await showVerdict(tables, agent, before, { review: released, conclusion, name });
  return released;
}

interface ConcludedReview {
  readonly review: StoredReview;
  readonly conclusion: Conclusion;
  /** The reviewer's name. */
  readonly name: string | undefined;
}

/** Writes a verdict to the agent's row: as the current verdict if it counts, otherwise as an uncounted one. */
async function showVerdict(
  { reviews, journal }: Tables,
  agent: StoredAgent,
  before: StoredReview | undefined,
  { review, conclusion, name }: ConcludedReview,
): Promise<void> {
  const { verdict, roundId, launcher, notCounting } = conclusion;
  const shown: ReviewConclusion = {
    reviewId: review.id,
    verdict,
    ...(review.author === 'person'
      ? { authorKind: 'REVIEW_AUTHOR_KIND_HUMAN' }
      : { authorKind: 'REVIEW_AUTHOR_KIND_AGENT', authorAgentId: review.author, authorName: name }),
    launcher,
    notCounting,
    ...(review.releasedAt == null ? {} : { releasedAt: timeOf(review.releasedAt) }),
  };
  const localReviewRounds = await reviews.roundsReviewed(agent.id);
  if (notCounting !== undefined) {
    await journal.setReviewed(agent, { localReviewRounds, uncountedReviewConclusion: shown });
    return;
  }
  await journal.setReviewed(agent, {
    localReviewVerdict: verdict,
    localReviewRounds,
    localReviewConclusion: shown,
    uncountedReviewConclusion: null,
    // The worktree has yet to be compared with the round of this verdict.
    ...(before?.round === roundId ? {} : { localReviewTree: null }),
  });
}
