import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { isClaimed } from '#actors/registry/doorbell/doorbells.ts';
import type { Review } from '#contract/review/review.ts';
import type { ReviewRound } from '#contract/review/review-round.ts';
import type { ReviewDeliveryState, ReviewMessage, ReviewThread } from '#contract/review/review-thread.ts';
import { batchViewOf } from '#machines/review/review-batch.ts';
import type { StoredDoorbell } from '#store/doorbell/doorbell-entity.ts';
import type { StoredMessage, StoredReview, StoredRound, StoredThread } from '#store/review/entities.ts';
import type { Tables } from '#store/tables.ts';
import { enumName } from './enum-name.ts';

/** A round as a message of the contract. */
export function roundOf(round: StoredRound): ReviewRound {
  return {
    id: round.id,
    agentId: round.agent,
    ordinal: round.ordinal,
    baseSha: round.baseSha,
    snapshotSha: round.snapshotSha,
    startedByAgentId: round.startedBy === 'person' ? undefined : round.startedBy,
    createdAt: timeOf(round.createdAt),
    changedFiles: round.changedFiles,
    leftOut: round.leftOut.map(({ path, reason, bytes }) => ({
      path,
      reason: enumName('REVIEW_LEFT_OUT_REASON', reason) as never,
      bytes: bytes === undefined ? undefined : String(bytes),
    })),
    leftOutCount: round.leftOutCount,
  };
}

/** Batches as messages of the contract, for callers who may see them. */
export async function reviewsOf(tables: Tables, reviews: readonly StoredReview[]): Promise<Review[]> {
  const rounds = await tables.rounds.byId(reviews.flatMap(({ round }) => round ?? []));
  const gone = await tables.agents.filterGone([...new Set(reviews.map(({ author }) => author))]);
  return reviews.map((review) => {
    const { state, comments, conclusion } = batchViewOf(review.snapshot);
    return {
      id: review.id,
      agentId: review.agent,
      ...writtenBy(review.author, gone),
      state,
      verdict: conclusion?.verdict,
      summary: conclusion?.summary,
      roundId: review.round ?? undefined,
      roundOrdinal: rounds.get(review.round ?? '')?.ordinal,
      comments,
      createdAt: timeOf(review.createdAt),
      releasedAt: review.releasedAt == null ? undefined : timeOf(review.releasedAt),
      launcher: review.launcher ?? undefined,
      notCounting: review.notCounting ?? undefined,
    };
  });
}

/** Threads as messages of the contract, without unreleased comments of others than the viewer. */
export async function threadsOf(
  tables: Tables,
  threads: readonly StoredThread[],
  viewer: string,
): Promise<(ReviewThread & { readonly id: string })[]> {
  const ids = threads.map(({ id }) => id);
  const said = await tables.reviews.messages(ids, viewer);
  const shown = await messagesOf(tables, said);
  const byThread = Map.groupBy(shown, ({ threadId }) => threadId);
  const rounds = await tables.rounds.byId([...new Set(threads.map(({ round }) => round))]);
  return threads.map((thread) => threadOf(thread, rounds.get(thread.round), byThread.get(thread.id) ?? []));
}

function threadOf(
  thread: StoredThread,
  round: StoredRound | undefined,
  messages: ReviewMessage[],
): ReviewThread & { readonly id: string } {
  const { id, agent, review, oldStart, oldEnd, newStart, newEnd, quotedLines, resolvedAt } = thread;
  return {
    id,
    agentId: agent,
    reviewId: review,
    roundId: thread.round,
    roundOrdinal: round?.ordinal,
    baseSha: thread.baseSha,
    filePath: thread.filePath,
    oldStart: oldStart ?? undefined,
    oldEnd: oldEnd ?? undefined,
    newStart: newStart ?? undefined,
    newEnd: newEnd ?? undefined,
    quotedLines: [...quotedLines],
    resolvedAt: resolvedAt == null ? undefined : timeOf(resolvedAt),
    unreadByHuman: thread.unreadByHuman,
    messages,
    createdAt: timeOf(thread.createdAt),
    updatedAt: timeOf(thread.updatedAt),
  };
}

/** Comments as messages of the contract. The delivery state of each comes from its doorbell. */
export async function messagesOf(tables: Tables, messages: readonly StoredMessage[]): Promise<ReviewMessage[]> {
  const bells = await tables.doorbells.byId([...new Set(messages.flatMap(({ doorbell }) => doorbell ?? []))]);
  const gone = await tables.agents.filterGone([...new Set(messages.map(({ author }) => author))]);
  return messages.map((message) => {
    const { id, thread, author, body, suggestion, createdAt, updatedAt, sentAt, doorbell, review } = message;
    return {
      id,
      threadId: thread,
      ...writtenBy(author, gone),
      body,
      suggestion: [...suggestion],
      createdAt: timeOf(createdAt),
      updatedAt: timeOf(updatedAt),
      sentAt: sentAt == null ? undefined : timeOf(sentAt),
      ...deliveryOf(message, bells.get(doorbell ?? '')),
      reviewId: review ?? undefined,
    };
  });
}

/** A comment's delivery state. A reply of the agent under review rings no doorbell, so it has none. */
function deliveryOf(
  { review, sentAt }: StoredMessage,
  bell: StoredDoorbell | undefined,
): { readonly delivery?: ReviewDeliveryState; readonly deliveredAt?: string } {
  if (review == null) return {};
  if (sentAt == null) return { delivery: 'REVIEW_DELIVERY_STATE_UNSENT' };
  if (!isClaimed(bell)) return { delivery: 'REVIEW_DELIVERY_STATE_SENT' };
  return { delivery: 'REVIEW_DELIVERY_STATE_DELIVERED', deliveredAt: timeOf(bell?.closedAt ?? sentAt) };
}

function writtenBy(author: string, gone: ReadonlySet<string>) {
  if (author === 'person') return { authorKind: 'REVIEW_AUTHOR_KIND_HUMAN' as const };
  return {
    authorKind: 'REVIEW_AUTHOR_KIND_AGENT' as const,
    authorAgentId: gone.has(author) ? undefined : author,
  };
}
