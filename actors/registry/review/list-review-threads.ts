import { z } from 'zod';
import { cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { listReviewThreads } from '#contract/operations/review-thread.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredReview, StoredThread } from '#store/review/entities.ts';
import type { Tables } from '#store/tables.ts';
import { participating, partyOf, reviewedAgent } from './parties.ts';
import { placesOf } from './places.ts';
import { reviewsOf, threadsOf } from './resource.ts';
import type { ReviewScope } from './review-scope.ts';

const cursors = cursorCodec('review-threads', { of: z.string(), updatedAt: z.int(), id: z.string() });

/**
 * Lists the threads that a caller may see, with their places in the newest round. Writes nothing: only ClaimDoorbells
 * claims doorbells.
 */
export const listReviewThreadsHandler = handler(listReviewThreads, async (request, caller, scope: ReviewScope) => {
  const { reviewId, roundId, filePath, resolved, unreadByHuman, pagination } = request;
  const limit = pageLimit(pagination?.pageSize);
  const after = cursors.read(pagination?.cursor);
  const viewer = partyOf(caller);
  const found = await scope.store.read(async (tables) => {
    const review = reviewId ? await seenReview(tables, caller, reviewId) : undefined;
    const agent = await reviewedAgent(tables.agents, caller, request.agentId || review?.agent);
    const of = JSON.stringify([agent.id, reviewId, roundId, filePath, resolved, unreadByHuman]);
    if (after !== undefined && after.of !== of) {
      throw new Failure('INVALID_CURSOR', 'The cursor belongs to a listing with other filters: start without it', {
        field: 'pagination.cursor',
      });
    }
    const threads = await tables.reviews.threads({
      viewer,
      agent: agent.id,
      review: review?.id,
      round: roundId || undefined,
      filePath: filePath || undefined,
      resolved,
      unreadByHuman: unreadByHuman || undefined,
      after,
      limit: limit + 1,
    });
    const page = threads.slice(0, limit);
    const shown = fitRows(await threadsOf(tables, page, viewer));
    const last = page[shown.length - 1];
    const more = last !== undefined && threads.length > shown.length;
    const rounds = await tables.rounds.byId([...new Set(page.map(({ round }) => round))]);
    return {
      agent,
      page,
      shown,
      rounds,
      newest: await tables.rounds.newest(agent.id),
      reviews: await reviewsOf(tables, await reviewsAround(tables, agent, viewer, page, review)),
      next: more ? { nextPageToken: cursors.write({ of, updatedAt: last.updatedAt, id: last.id }) } : {},
    };
  });
  const { agent, page, shown, rounds, newest, reviews, next } = found;
  const places = await placesOf(scope, agent, newest, page.slice(0, shown.length), rounds);
  return { threads: shown.map((thread) => ({ ...thread, place: places.get(thread.id) })), reviews, ...next };
});

/** A batch that a caller may see. @throws NOT_FOUND when there is no such batch for the caller */
async function seenReview({ reviews }: Tables, caller: Caller, id: string): Promise<StoredReview> {
  const agentId = participating(caller);
  const review = await reviews.find(id);
  const isTheirs = review !== undefined && (agentId === undefined || review.agent === agentId);
  if (isTheirs && (review.releasedAt != null || review.author === partyOf(caller))) return review;
  throw new Failure(
    'REVIEW_NOT_FOUND',
    `There is no review ${quoted(id)}: list_review_threads shows those that you may see`,
    { field: 'reviewId' },
  );
}

/** The batches of threads; by default also the last released one and the viewer's open one. */
async function reviewsAround(
  { reviews }: Tables,
  { id: agentId }: StoredAgent,
  viewer: string,
  threads: readonly StoredThread[],
  asked: StoredReview | undefined,
): Promise<StoredReview[]> {
  const around = await reviews.byId([...new Set(threads.map(({ review }) => review))]);
  const others = asked ? [asked] : [await reviews.lastReleased(agentId), await reviews.openOf(agentId, viewer)];
  const all = new Map([...around, ...others.flatMap((one) => one ?? [])].map((one) => [one.id, one]));
  return [...all.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
}
