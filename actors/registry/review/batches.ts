import { logTransition } from '#actors/registry/kernel/transition-log.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import { begin, decide } from '#machines/decide.ts';
import { batchViewOf, commentsMost, type ReviewBatchEvent, reviewBatchLife } from '#machines/review/review-batch.ts';
import type { StoredReview } from '#store/review/entities.ts';

/** The batch that an author is writing on an agent's work; a new one where there is none. */
export async function openBatch({ tables, ids, now }: Change, agent: string, author: string): Promise<StoredReview> {
  const open = await tables.reviews.openOf(agent, author);
  if (open !== undefined) return open;
  const { snapshot } = begin(reviewBatchLife, undefined);
  const batch = {
    id: ids.id('rvw'),
    agent,
    author,
    snapshot,
    round: null,
    launcher: null,
    notCounting: null,
    createdAt: now,
    releasedAt: null,
    closedAt: null,
  };
  await tables.reviews.save(batch);
  return batch;
}

/**
 * Tells a batch's machine of an event and writes down what comes of it; gives the batch as it is then.
 * @throws Failure `failed_precondition` where it is closed, `resource_exhausted` where it is full
 */
export async function moveBatch(
  { tables, now }: Change,
  batch: StoredReview,
  event: ReviewBatchEvent,
): Promise<StoredReview> {
  const decision = decide(reviewBatchLife, batch.snapshot, event);
  if (decision === undefined) throw cannot(batch);
  const { state, conclusion } = batchViewOf(decision.snapshot);
  const isReleased = state === 'REVIEW_STATE_RELEASED';
  const moved = {
    ...batch,
    snapshot: decision.snapshot,
    round: conclusion?.roundId ?? null,
    launcher: conclusion?.launcher ?? null,
    notCounting: conclusion?.notCounting ?? null,
    releasedAt: isReleased ? now : null,
    closedAt: state === 'REVIEW_STATE_OPEN' ? null : now,
  };
  await tables.reviews.save(moved);
  // Until it is released a batch is its author's alone, and so are its moves.
  if (isReleased) {
    await logTransition(tables, {
      machine: 'review-batch',
      subject: batch.id,
      before: batch.snapshot,
      event,
      decision,
    });
  }
  await tables.facts.append(
    decision.facts.map(({ kind, detail }) => ({
      kind,
      subjectId: batch.agent,
      detail: { reviewId: batch.id, by: batch.author, ...detail },
    })),
  );
  return moved;
}

function cannot({ id, snapshot }: StoredReview): Failure {
  const { state, comments } = batchViewOf(snapshot);
  if (state === 'REVIEW_STATE_OPEN' && comments >= commentsMost) {
    return new Failure(
      'resource_exhausted',
      `Review ${id} holds ${comments} comments, and more do not fit: release it`,
    );
  }
  const how = state === 'REVIEW_STATE_DISCARDED' ? 'was discarded' : 'is released';
  return new Failure('failed_precondition', `Review ${id} ${how}: nothing of it can be changed`);
}
