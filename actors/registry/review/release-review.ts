import { change } from '#actors/registry/agent/change.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import { discardReview, type ReleaseReviewRequest, releaseReview } from '#contract/operations/review.ts';
import { quoted } from '#contract/quoted.ts';
import type { ReviewVerdict } from '#contract/review/review-thread.ts';
import { batchViewOf } from '#machines/review/review-batch.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredReview, StoredRound, StoredThread } from '#store/review/entities.ts';
import type { Tables } from '#store/tables.ts';
import { advanceBatch, openBatch } from './batches.ts';
import { resolveRound } from './find-round.ts';
import { deleteUnreleased } from './forget.ts';
import { partyOf, reviewedAgent } from './parties.ts';
import { type BatchContent, releaseBatch } from './release.ts';
import { reviewsOf } from './resource.ts';
import type { ReviewScope } from './review-scope.ts';

/** Releases the caller's batch. Repeating the release of a released batch returns it unchanged. */
export const releaseReviewHandler = handler(releaseReview, async (request, caller, scope: ReviewScope) => {
  const { verdict, summary = '', reviewId, snapshotSha } = request;
  const author = partyOf(caller);
  const { agent, released, isNew } = await change(scope, async (writing) => {
    const { tables } = writing;
    const found = await reviewedAgent(tables.agents, caller, request.agentId);
    if (verdict === 'REVIEW_VERDICT_UNSPECIFIED') {
      throw new Failure('INVALID_FIELD', 'verdict is missing: approve, request changes, or only comment', {
        field: 'verdict',
      });
    }
    const batch = reviewId
      ? await ownBatch(tables, found, author, reviewId)
      : ((await repeatedRelease(tables, found, author, request)) ?? (await openBatch(writing, found.id, author)));
    if (batchViewOf(batch.snapshot).state === 'REVIEW_STATE_RELEASED') {
      return { agent: found, released: (await reviewsOf(tables, [batch]))[0], isNew: false };
    }
    const said = await commentsIn(tables, batch);
    refuseEmpty(verdict, summary, said.messages.length);
    const round = await roundOfVerdict(tables, found, batch, said.threads, snapshotSha);
    const given = { verdict, summary, roundId: round.id };
    const done = await releaseBatch(writing, found, { batch, ...said }, given, scope.harnesses);
    return { agent: found, released: (await reviewsOf(tables, [done]))[0], isNew: true };
  });
  if (isNew) scope.reviewStatuses.measure(agent.id);
  return { review: released };
});

/** @throws FAILED_PRECONDITION when a verdict other than approval has neither comments nor a summary */
function refuseEmpty(verdict: ReviewVerdict, summary: string, comments: number): void {
  if (verdict === 'REVIEW_VERDICT_APPROVED' || comments > 0 || summary.trim() !== '') return;
  throw new Failure('REVIEW_EMPTY', 'The review has no comment and no summary: add one, or approve', {
    field: 'summary',
  });
}

/**
 * The author's last review, if this release only repeats it: the same verdict and summary on the same round, without
 * comments, and nothing was written since. So a release that is sent twice rings only once.
 */
async function repeatedRelease(
  tables: Tables,
  agent: StoredAgent,
  author: string,
  { verdict, summary = '', snapshotSha }: ReleaseReviewRequest,
): Promise<StoredReview | undefined> {
  const { reviews } = tables;
  if ((await reviews.openOf(agent.id, author)) !== undefined) return undefined;
  const last = await reviews.lastReleased(agent.id);
  if (last?.releasedAt == null || last.author !== author) return undefined;
  const { conclusion } = batchViewOf(last.snapshot);
  if (conclusion?.verdict !== verdict || conclusion.summary !== summary) return undefined;
  if ((await resolveRound(tables, agent, author, snapshotSha)).id !== last.round) return undefined;
  const [newest] = await reviews.threads({ viewer: author, agent: agent.id, limit: 1 });
  return newest !== undefined && newest.updatedAt > last.releasedAt ? undefined : last;
}

/** The comments of a batch, and the threads that they are in. */
async function commentsIn(
  { reviews }: Tables,
  { id }: StoredReview,
): Promise<Pick<BatchContent, 'messages' | 'threads'>> {
  const messages = await reviews.messagesOf(id);
  return { messages, threads: await reviews.threadsById([...new Set(messages.map(({ thread }) => thread))]) };
}

/**
 * The round of a verdict: the named one, else the newest with comments of this batch, else the one that was read last.
 */
async function roundOfVerdict(
  tables: Tables,
  agent: StoredAgent,
  batch: StoredReview,
  threads: readonly StoredThread[],
  snapshotSha: string | undefined,
): Promise<StoredRound> {
  const opened = threads.filter(({ review }) => review === batch.id);
  const rounds = [...(await tables.rounds.byId([...new Set(opened.map(({ round }) => round))])).values()];
  const [newest] = rounds.toSorted((a, b) => b.ordinal - a.ordinal);
  return snapshotSha || newest === undefined ? resolveRound(tables, agent, batch.author, snapshotSha) : newest;
}

async function ownBatch({ reviews }: Tables, agent: StoredAgent, author: string, id: string): Promise<StoredReview> {
  const batch = await reviews.find(id);
  if (batch?.agent === agent.id && batch.author === author) return batch;
  throw new Failure(
    'REVIEW_NOT_FOUND',
    `reviewId is ${quoted(id)}, and you have no such review: leave it out for your open one`,
    { field: 'reviewId' },
  );
}

/** Discards the caller's open batch with its comments. Does nothing if there is none. */
export const discardReviewHandler = handler(discardReview, (request, caller, scope) =>
  change(scope, async (writing) => {
    const { agents, reviews } = writing.tables;
    const { id } = await reviewedAgent(agents, caller, request.agentId);
    const open = await reviews.openOf(id, partyOf(caller));
    return open === undefined ? {} : { review: await discard(writing, open) };
  }),
);

async function discard(writing: Change, open: StoredReview) {
  await deleteUnreleased(writing, open.id);
  const discarded = await advanceBatch(writing, open, { type: 'DISCARD' });
  return (await reviewsOf(writing.tables, [discarded]))[0];
}
