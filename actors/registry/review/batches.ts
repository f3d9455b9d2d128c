import { advanceInstance, beginInstance, type Kind } from '#actors/registry/kernel/instance.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import {
  batchViewOf,
  maxComments,
  type ReviewBatchEvent,
  reviewBatchDefinition,
  type reviewBatchMachine,
} from '#machines/review/review-batch.ts';
import type { StoredReview } from '#store/review/entities.ts';

/** Before its release, only its author may see a batch, so its transitions are not logged. */
const batchKind: Kind<'review-batch', typeof reviewBatchMachine> = {
  machine: 'review-batch',
  definition: reviewBatchDefinition,
  columns(snapshot, now) {
    const { state, conclusion } = batchViewOf(snapshot);
    return {
      round: conclusion?.roundId ?? null,
      launcher: conclusion?.launcher ?? null,
      notCounting: conclusion?.notCounting ?? null,
      releasedAt: state === 'REVIEW_STATE_RELEASED' ? now : null,
      closedAt: state === 'REVIEW_STATE_OPEN' ? null : now,
    };
  },
  toFact: ({ kind, detail }, { id, agent, author }) => ({
    kind,
    subjectId: agent,
    detail: { reviewId: id, by: author, ...detail },
  }),
  isLogged: (_tables, _batch, _event, { snapshot }) => batchViewOf(snapshot).state === 'REVIEW_STATE_RELEASED',
};

/** The open batch of an author on an agent's work. Creates one if there is none. */
export async function openBatch(writing: Change, agent: string, author: string): Promise<StoredReview> {
  const { tables, ids, now } = writing;
  const open = await tables.reviews.openOf(agent, author);
  if (open !== undefined) return open;
  const ends = { round: null, launcher: null, notCounting: null, releasedAt: null, closedAt: null };
  const row = { id: ids.id('rvw'), agent, author, createdAt: now, ...ends };
  return beginInstance(writing, batchKind, undefined, (snapshot) => ({ ...row, snapshot }), { isQuiet: true });
}

/**
 * Sends an event to a batch's machine and saves the result; returns the updated batch.
 * @throws FAILED_PRECONDITION when the batch is closed; RESOURCE_EXHAUSTED when it is full
 */
export async function advanceBatch(
  writing: Change,
  batch: StoredReview,
  event: ReviewBatchEvent,
): Promise<StoredReview> {
  const advanced = await advanceInstance(writing, batchKind, batch, event);
  if (advanced === undefined) throw cannot(batch);
  return advanced;
}

function cannot({ id, snapshot }: StoredReview): Failure {
  const { state, comments } = batchViewOf(snapshot);
  if (state === 'REVIEW_STATE_OPEN' && comments >= maxComments) {
    return new Failure('REVIEW_FULL', `Review ${id} has ${comments} comments, which is the maximum: release it`);
  }
  const how = state === 'REVIEW_STATE_DISCARDED' ? 'was discarded' : 'is released';
  return new Failure('REVIEW_RELEASED', `Review ${id} ${how}: it can no longer be changed`);
}
